import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import type { LinkId, OwnerId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { addSeconds } from "@/lib/core/time";
import { getForOwner } from "@/lib/links/service";
import { type AttemptCursor, attempts, funnel, recordRefusal, trail } from "@/lib/links/visits/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import { idsOfLink } from "@/lib/refunds/service";
import type { Claim } from "@/lib/settlements/service";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { claimFrom, freshAddress, openSystem, paying, randomNonce, xPaymentOf } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 250_000n;
const VISITS_KEPT = 8;
const EVER = new Date(0);

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let seller: Parties;
let stranger: Parties;
const payTo = freshAddress();

beforeAll(async () => {
  world = await createWorld();
  Object.assign(process.env, {
    POLL_MILLISECONDS: "400",
    RATE_LIMITS: `${process.env.RATE_LIMITS},visit_per_link=${VISITS_KEPT}/1d`,
  });
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  [seller, stranger] = [await linkedPair(), await linkedPair()];
  workers = wiring.startWorkers();
  await setReceivingAddress(seller, payTo);
  for (const { address } of world.accounts.slice(0, 2)) await world.mint(toAddress(address), 1_000_000_000n);
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const body = (response: Answer) => response.body as Json;

async function createLink(json: object = {}, { agent }: Parties = seller): Promise<LinkId> {
  const fields = { amount: AMOUNT.toString(), description: "A report", ...json };
  const response = await call("POST", "/api/payment-links", { bearer: agent.jwt, json: fields });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return body(response).paymentLink.linkId;
}
const edit = (linkId: LinkId, json: object) =>
  call("PATCH", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt, json });
const remove = (linkId: LinkId) => call("DELETE", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt });

const payer = (index = 0) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};
const claim = (change: Parameters<typeof claimFrom>[3] = {}, from = payer()) => claimFrom(from, payTo, AMOUNT, change);
const present = (linkId: LinkId, headers: Record<string, string>) => call("GET", `/paymentlink/${linkId}`, { headers });
const pay = (linkId: LinkId, proof: Claim) => present(linkId, paying(proof));

const newVisit = () => randomBytes(15).toString("base64url");
const report = (linkId: string, json: unknown) => call("POST", `/api/payment-links/${linkId}/visits`, { json });
const signed = (visitId: string, { authorization: { from, nonce } }: Claim) => ({
  visitId,
  step: "signed",
  payer: from,
  nonce,
});

async function reported(linkId: LinkId, ...steps: object[]): Promise<void> {
  for (const step of steps) {
    const response = await report(linkId, step);
    expect([response.status, response.body]).toEqual([200, { success: true }]);
  }
}
const visitsOf = async (linkId: string) => [
  ...(await testSystem.sql`select * from link_visits where link_id = ${linkId} order by viewed_at, visit_id`),
];
const refusalsOf = async (linkId: string) => [
  ...(await testSystem.sql`select code, payer from link_refusals where link_id = ${linkId} order by id`),
];

/** The viewer of the dashboard: the owner of `parties`. */
async function asOwner({ owner }: Parties): Promise<Ctx<Owner>> {
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  const actor: Owner = { type: "owner", ownerId: row?.id as OwnerId, address: owner.address };
  return { ...testSystem.system, requestId: "test", actor };
}

describe("POST /api/payment-links/{linkId}/visits", () => {
  const good = { visitId: "a".repeat(20), step: "viewed" };
  const signedBy = { ...good, step: "signed", payer: freshAddress(), nonce: randomNonce() };

  test.each<[string, unknown, string]>([
    ["nothing", {}, "step"],
    ["no visit", { step: "viewed" }, "visitId"],
    ["a visit that is not a string", { ...good, visitId: 7 }, "visitId"],
    ["too short a visit", { ...good, visitId: "a".repeat(15) }, "visitId"],
    ["too long a visit", { ...good, visitId: "a".repeat(41) }, "visitId"],
    ["a visit with other characters", { ...good, visitId: `${"a".repeat(15)}'` }, "visitId"],
    ["a visit with a line end", { ...good, visitId: `${"a".repeat(20)}\n` }, "visitId"],
    ["another step", { ...good, step: "settled" }, "step"],
    ["a step that is not a string", { ...good, step: ["viewed"] }, "step"],
    ["a signature without its payer", { ...signedBy, payer: undefined }, "payer"],
    ["a signature of a name", { ...signedBy, payer: "alice.eth" }, "payer"],
    ["a signature without its nonce", { ...signedBy, nonce: undefined }, "nonce"],
    ["a nonce of 31 bytes", { ...signedBy, nonce: `0x${"a".repeat(62)}` }, "nonce"],
  ])("rejects %s and stores nothing", async (_, json, field) => {
    const linkId = await createLink();
    const response = await report(linkId, json);
    expect([response.status, response.body]).toMatchObject([400, { status: "error", code: "INVALID_REQUEST", field }]);
    expect(await visitsOf(linkId)).toEqual([]);
  });

  test.each([["[]"], ["null"], ['"viewed"']])("rejects a visit with %s", async (raw) => {
    const response = await call("POST", `/api/payment-links/${await createLink()}/visits`, { raw });
    expect([response.status, response.body]).toMatchObject([400, { code: "INVALID_REQUEST" }]);
  });

  test("rejects a body of more than a kilobyte", async () => {
    const response = await report(await createLink(), { ...good, more: "x".repeat(1024) });
    expect([response.status, response.body]).toMatchObject([413, { code: "BODY_TOO_LARGE" }]);
  });

  test("is 404 for a link that does not exist or was deleted", async () => {
    const deleted = await createLink();
    await remove(deleted);
    for (const linkId of ["lnk_000000000000000000000000", deleted]) {
      const response = await report(linkId, good);
      expect([response.status, response.body]).toMatchObject([404, { code: "LINK_NOT_FOUND" }]);
      expect(await visitsOf(linkId)).toEqual([]);
    }
  });

  test("stores when a visit reached each step, and the authorization, and nothing else", async () => {
    const linkId = await createLink();
    const proof = claim();
    const visitId = newVisit();
    const lowerCase = proof.authorization.from.toLowerCase();
    await reported(
      linkId,
      { visitId, step: "viewed" },
      { visitId, step: "connected" },
      { ...signed(visitId, proof), payer: lowerCase },
    );
    const [row, ...others] = await visitsOf(linkId);
    expect(row).toEqual({
      link_id: linkId,
      visit_id: visitId,
      viewed_at: expect.any(Date),
      connected_at: expect.any(Date),
      signed_at: expect.any(Date),
      payer: proof.authorization.from,
      nonce: proof.authorization.nonce,
    });
    expect(others).toEqual([]);
  });

  test("changes nothing when the step is repeated or an earlier one", async () => {
    const linkId = await createLink();
    const visitId = newVisit();
    const steps = [{ visitId, step: "viewed" }, { visitId, step: "connected" }, signed(visitId, claim())];
    await reported(linkId, ...steps);
    const visitsBefore = await visitsOf(linkId);
    await reported(linkId, ...steps, ...steps.reverse());
    expect(await visitsOf(linkId)).toEqual(visitsBefore);
  });

  test("stores a later step together with the skipped steps before it, at the same time", async () => {
    const linkId = await createLink();
    const [connecting, signing] = [newVisit(), newVisit()];
    await reported(linkId, { visitId: connecting, step: "connected" }, signed(signing, claim()));
    const [first, second] = await visitsOf(linkId);
    expect(first).toMatchObject({ visit_id: connecting, connected_at: first?.viewed_at, signed_at: null, nonce: null });
    expect(second).toMatchObject({
      visit_id: signing,
      connected_at: second?.viewed_at,
      signed_at: second?.viewed_at,
    });
  });

  test("follows the newest authorization after a second signature, with the time of the first", async () => {
    const linkId = await createLink();
    const visitId = newVisit();
    const [first, second] = [claim(), claim()];
    await reported(linkId, signed(visitId, first));
    const [rowsBefore] = await visitsOf(linkId);
    await reported(linkId, signed(visitId, second));
    expect(await visitsOf(linkId)).toEqual([{ ...rowsBefore, nonce: second.authorization.nonce }]);
  });

  test("counts one visit at two links twice, and twenty simultaneous reports of it once", async () => {
    const [a, b] = [await createLink(), await createLink()];
    await edit(b, { status: "disabled" });
    const visitId = newVisit();
    await Promise.all(Array.from({ length: 20 }, () => reported(a, { visitId, step: "viewed" })));
    await reported(b, { visitId, step: "viewed" });
    expect([(await visitsOf(a)).length, (await visitsOf(b)).length]).toEqual([1, 1]);
  });

  test("stores visits also for a link that cannot be paid", async () => {
    const linkId = await createLink();
    await edit(linkId, { status: "disabled" });
    await reported(linkId, { visitId: newVisit(), step: "viewed" });
    expect(await visitsOf(linkId)).toHaveLength(1);
  });

  test("stores new visits only up to a limit; known visits continue, and other links are not affected", async () => {
    const [full, otherLinkId] = [await createLink(), await createLink()];
    const visits = Array.from({ length: VISITS_KEPT }, newVisit);
    for (const visitId of visits) await reported(full, { visitId, step: "viewed" });
    await reported(full, { visitId: newVisit(), step: "viewed" }, signed(newVisit(), claim()));
    await reported(full, { visitId: visits[0], step: "connected" });
    await reported(otherLinkId, { visitId: newVisit(), step: "viewed" });
    const kept = await visitsOf(full);
    expect(kept.map((row) => row.visit_id).sort()).toEqual([...visits].sort());
    expect(kept.filter((row) => row.connected_at !== null).map((row) => row.visit_id)).toEqual([visits[0]]);
    expect(await visitsOf(otherLinkId)).toHaveLength(1);
  });
});

describe("the funnel of a link", () => {
  test("counts how far visits got, and payments without a visit; each payment once", async () => {
    const ctx = await asOwner(seller);
    const [linkId, otherLinkId] = [await createLink(), await createLink()];
    const [paid, unpaid, elsewhere, byAgent] = [claim(), claim(), claim(), claim({}, payer(1))];
    expect(await funnel(ctx, linkId, EVER)).toEqual({ viewed: 0, connected: 0, signed: 0, settled: 0, byAgents: 0 });

    await reported(linkId, { visitId: newVisit(), step: "viewed" }, { visitId: newVisit(), step: "connected" });
    await reported(linkId, signed(newVisit(), paid), signed(newVisit(), unpaid), signed(newVisit(), elsewhere));
    // A stranger who saw the payment on the chain and presents it as their own.
    await reported(linkId, signed(newVisit(), paid));
    await reported(otherLinkId, signed(newVisit(), byAgent));
    for (const [at, proof] of [
      [linkId, paid],
      [linkId, byAgent],
      [otherLinkId, elsewhere],
    ] as const) {
      expect((await pay(at, proof)).status).toBe(200);
    }
    expect(await funnel(ctx, linkId, EVER)).toEqual({ viewed: 6, connected: 5, signed: 4, settled: 1, byAgents: 1 });
    expect(await funnel(ctx, otherLinkId, EVER)).toEqual({
      viewed: 1,
      connected: 1,
      signed: 1,
      settled: 0,
      byAgents: 1,
    });
  });

  test("of a period counts the visits that began in it, with their outcome", async () => {
    const ctx = await asOwner(seller);
    const linkId = await createLink();
    const [earlyClaim, lateClaim, byAgent] = [claim(), claim(), claim({}, payer(1))];
    const [old, fresh] = [newVisit(), newVisit()];
    await reported(linkId, signed(old, earlyClaim), signed(fresh, lateClaim));
    for (const proof of [earlyClaim, lateClaim, byAgent]) expect((await pay(linkId, proof)).status).toBe(200);
    const now = new Date();
    await testSystem.sql`update link_visits set viewed_at = ${addSeconds(now, -40 * 86_400)} where visit_id = ${old}`;
    const inDays = (days: number) => funnel(ctx, linkId, addSeconds(now, -days * 86_400));
    // A payment of a visit before the period does not count as an agent's.
    expect(await inDays(30)).toEqual({ viewed: 1, connected: 1, signed: 1, settled: 1, byAgents: 1 });
    expect(await inDays(50)).toEqual({ viewed: 2, connected: 2, signed: 2, settled: 2, byAgents: 1 });
    expect(await inDays(-1)).toEqual({ viewed: 0, connected: 0, signed: 0, settled: 0, byAgents: 0 });
  });
});

describe("a refused proof", () => {
  const v2With = (asset: string) => (proof: Claim) => {
    const accepted = { scheme: "exact", network: NETWORKS.base.caip2, asset };
    return {
      "payment-signature": encodeHeader({ x402Version: 2, accepted, payload: xPaymentOf(proof).payload }),
    };
  };
  const long = -3600;

  test.each<[string, number, () => Claim, ((proof: Claim) => Record<string, string>)?]>([
    ["PAYMENT_NETWORK_MISMATCH", 402, () => claim({ network: "base-sepolia" })],
    ["PAYMENT_ASSET_MISMATCH", 402, () => claim(), v2With(NETWORKS["base-sepolia"].usdc)],
    ["PAYMENT_RECIPIENT_MISMATCH", 402, () => claim({ to: freshAddress() })],
    ["PAYMENT_INSUFFICIENT", 402, () => claimFrom(payer(), payTo, AMOUNT - 1n)],
    ["PAYMENT_EXPIRED", 402, () => claim({ windowSeconds: long })],
    ["PAYMENT_NOT_YET_VALID", 402, () => claim({ validAfter: 9_000_000_000n, windowSeconds: 8_000_000_000 })],
    ["PAYMENT_SIGNATURE_INVALID", 402, () => ({ ...claim(), signature: claim({}, payer(1)).signature })],
  ])("is stored with its code and its payer: %s", async (code, status, proofOf, headersOf = paying) => {
    const linkId = await createLink();
    const proof = proofOf();
    const response = await present(linkId, headersOf(proof));
    expect([response.status, body(response).code]).toEqual([status, code]);
    expect(await refusalsOf(linkId)).toEqual([{ code, payer: proof.authorization.from }]);
  });

  test.each<[string, object]>([
    ["LINK_DISABLED", { status: "disabled" }],
    ["LINK_EXPIRED", { expiresAt: "2090-01-01T00:00:00.000Z" }],
    ["LINK_SOLD_OUT", { maxUses: 1 }],
  ])("at a closed link is stored as %s", async (code, change) => {
    const linkId = await createLink();
    expect((await edit(linkId, change)).status).toBe(200);
    if (code === "LINK_SOLD_OUT") expect((await pay(linkId, claim())).status).toBe(200);
    if (code === "LINK_EXPIRED") {
      await testSystem.sql`update payment_links set expires_at = now() - interval '1 hour' where link_id = ${linkId}`;
    }
    const proof = claim({}, payer(1));
    const response = await pay(linkId, proof);
    expect([response.status, body(response).code]).toEqual([410, code]);
    expect(await refusalsOf(linkId)).toEqual([{ code, payer: proof.authorization.from }]);
  });

  test("is stored without a payer if it is unreadable, and with one if it only has another scheme", async () => {
    const linkId = await createLink();
    const proof = claim();
    await present(linkId, { "x-payment": "no proof at all" });
    const upto = await present(linkId, { "x-payment": encodeHeader({ ...xPaymentOf(proof), scheme: "upto" }) });
    expect([upto.status, body(upto).code]).toEqual([400, "INVALID_PAYMENT_HEADER"]);
    expect(await refusalsOf(linkId)).toEqual([
      { code: "INVALID_PAYMENT_HEADER", payer: null },
      { code: "INVALID_PAYMENT_HEADER", payer: proof.authorization.from },
    ]);
  });

  test("that lost the last use to a simultaneous payment is stored once", async () => {
    const linkId = await createLink({ maxUses: 1 });
    const responses = await Promise.all([pay(linkId, claim()), pay(linkId, claim({}, payer(1)))]);
    expect(responses.map((response) => response.status).sort()).toEqual([200, 410]);
    expect((await refusalsOf(linkId)).map((row) => row.code)).toEqual(["LINK_SOLD_OUT"]);
  });

  test("is stored for an empty wallet; price requests and claimed or repeated proofs are not stored", async () => {
    const linkId = await createLink();
    const [paid, failing] = [claim(), claimFrom(payer(5), payTo, AMOUNT)];
    const statuses = [];
    for (const headers of [{}, paying(paid), paying(paid), paying(failing)]) {
      statuses.push((await present(linkId, headers)).status);
    }
    await edit(linkId, { status: "disabled" });
    statuses.push((await pay(linkId, paid)).status, (await present(linkId, {})).status);
    // Only the proof of the payer without money was refused.
    expect(statuses).toEqual([402, 200, 409, 500, 409, 410]);
    expect((await refusalsOf(linkId)).map((row) => row.code)).toEqual(["INSUFFICIENT_FUNDS"]);
  });

  test("gets the same response when it cannot be stored", async () => {
    const linkId = await createLink();
    const proof = claim({ windowSeconds: long });
    const responseBefore = await pay(linkId, proof);
    await testSystem.sql`alter table link_refusals rename to link_refusals_away`;
    const [refusal, unreadable] = [await pay(linkId, proof), await present(linkId, { "x-payment": "?" })];
    await testSystem.sql`alter table link_refusals_away rename to link_refusals`;
    expect([refusal.status, refusal.body]).toEqual([402, responseBefore.body]);
    expect([unreadable.status, body(unreadable).code]).toEqual([400, "INVALID_PAYMENT_HEADER"]);
    expect((await refusalsOf(linkId)).map((row) => row.code)).toEqual(["PAYMENT_EXPIRED"]);
  });

  test("replaces the oldest one of the same link above five hundred, never that of another link", async () => {
    const [linkId, otherLinkId] = [await createLink(), await createLink()];
    for (const id of [linkId, otherLinkId]) {
      await testSystem.sql`insert into link_refusals (link_id, code, created_at)
        select ${id}, 'OLD_' || n, now() from generate_series(1, 502) n order by n`;
    }
    await present(linkId, { "x-payment": "?" });
    const kept = (await refusalsOf(linkId)).map((row) => row.code);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([500, "OLD_4", "INVALID_PAYMENT_HEADER"]);
    expect(await refusalsOf(otherLinkId)).toHaveLength(502);
  });

  test("is not stored when the link has had too many in a short time", async () => {
    const [linkId, otherLinkId] = [await createLink(), await createLink()];
    const strict = openSystem({}, { RATE_LIMITS: "refusal_per_link=3/1h" });
    for (let times = 0; times < 5; times++) {
      await recordRefusal(strict.system, linkId, { code: "PAYMENT_EXPIRED", payer: null });
    }
    await recordRefusal(strict.system, otherLinkId, { code: "PAYMENT_EXPIRED", payer: null });
    await strict.close();
    expect([(await refusalsOf(linkId)).length, (await refusalsOf(otherLinkId)).length]).toEqual([3, 1]);
  });
});

describe("an owner's view of a link", () => {
  test("lists attempts, accepted or refused, newest first, with stable pages", async () => {
    const ctx = await asOwner(seller);
    const linkId = await createLink();
    const failing: Address = toAddress(payer(6).address);
    const settled = [body(await pay(linkId, claim())), body(await pay(linkId, claim({}, payer(1))))];
    expect((await pay(linkId, claim({}, payer(6)))).status).toBe(500);
    for (const change of [{ to: freshAddress() }, { windowSeconds: -3600 }]) await pay(linkId, claim(change));
    await present(linkId, { "x-payment": "?" });
    await pay(await createLink(), claim({ windowSeconds: -3600 }));
    // At the same time: the second payment, the failure and the first refusal.
    const time = new Date();
    const early = ["PAYMENT_RECIPIENT_MISMATCH", "INSUFFICIENT_FUNDS"];
    await testSystem.sql`update settlements set created_at = ${time} where id = ${settled[1].settlementId}`;
    await testSystem.sql`update link_refusals set created_at = ${time} where code = any(${early}) and link_id = ${linkId}`;
    await testSystem.sql`update link_refusals set created_at = ${addSeconds(time, 1)} where code <> all(${early}) and link_id = ${linkId}`;

    const complete = await attempts(ctx, linkId, { limit: 20 });
    expect(complete.next).toBeNull();
    const said = complete.rows.map((row) =>
      "refusal" in row
        ? row.refusal.payer === failing
          ? [row.refusal.code]
          : row.refusal.code
        : [row.settlement.state, row.settlement.failureCode, row.settlement.payer],
    );
    expect(said.slice(0, 2)).toEqual(["INVALID_PAYMENT_HEADER", "PAYMENT_EXPIRED"]);
    expect(said.slice(2, 5)).toEqual(
      expect.arrayContaining([
        ["INSUFFICIENT_FUNDS"],
        "PAYMENT_RECIPIENT_MISMATCH",
        ["settled", null, payer(1).address],
      ]),
    );
    expect(said.slice(5)).toEqual([["settled", null, payer().address]]);

    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const rows = [];
      let after: AttemptCursor | undefined;
      do {
        const page = await attempts(ctx, linkId, { after, limit });
        rows.push(...page.rows);
        after = page.next ?? undefined;
      } while (after);
      expect(rows).toEqual(complete.rows);
    }
  });

  test("lists who changed the link and how, without payments, newest first, in pages", async () => {
    const ctx = await asOwner(seller);
    const [linkId, otherLinkId] = [await createLink(), await createLink()];
    await edit(linkId, { maxUses: 5 });
    await edit(otherLinkId, { maxUses: 7 });
    await pay(linkId, claim());
    await edit(linkId, { resourceContent: "Shelf 7", status: "disabled" });
    const payments = body(await call("GET", `/api/payment-links/${linkId}/payments`, { bearer: seller.agent.jwt }));
    const requested = await call("POST", "/api/payment-links/refunds/initiate", {
      bearer: seller.agent.jwt,
      json: { paymentId: payments.payments[0].id, amount: "1" },
    });
    const relatedIds = await idsOfLink(testSystem.system, linkId);
    expect(relatedIds).toEqual([body(requested).refundId]);
    expect(await idsOfLink(testSystem.system, otherLinkId)).toEqual([]);
    const fullTrail = await trail(ctx, linkId, { relatedIds, limit: 10 });
    expect(fullTrail.next).toBeNull();
    expect(fullTrail.rows.map(({ type, meta }) => [type, meta])).toEqual([
      ["refund.created", { amount: "1", network: "base", paymentId: payments.payments[0].id, by: "agent" }],
      [
        "payment_link.updated",
        { changed: ["resourceContent", "status"], from: { status: "active" }, to: { status: "disabled" }, by: "agent" },
      ],
      ["payment_link.updated", { changed: ["maxUses"], from: { maxUses: null }, to: { maxUses: 5 }, by: "agent" }],
      ["payment_link.created", { amount: AMOUNT.toString(), network: "base", reference: null, by: "agent" }],
    ]);
    const rows = [];
    let after: Cursor | undefined;
    do {
      const page = await trail(ctx, linkId, { relatedIds, after, limit: 1 });
      rows.push(...page.rows);
      after = page.next ?? undefined;
    } while (after);
    expect(rows).toEqual(fullTrail.rows);
  });

  const READINGS: [string, (ctx: Ctx<Owner>, linkId: LinkId) => Promise<unknown>][] = [
    ["the link", getForOwner],
    ["its funnel", (ctx, linkId) => funnel(ctx, linkId, EVER)],
    ["its attempts", (ctx, linkId) => attempts(ctx, linkId, { limit: 5 })],
    ["its trail", (ctx, linkId) => trail(ctx, linkId, { limit: 5 })],
  ];

  test.each(READINGS)(
    "keeps %s visible only to the link's owner, until the link or its agent is deleted",
    async (_, read) => {
      const [ctx, other] = [await asOwner(seller), await asOwner(stranger)];
      const [linkId, deleted] = [await createLink(), await createLink()];
      await expect(read(ctx, linkId)).resolves.toBeTruthy();
      await expect(read(other, linkId)).rejects.toMatchObject({ code: "LINK_NOT_FOUND" });
      await remove(deleted);
      await expect(read(ctx, deleted)).rejects.toMatchObject({ code: "LINK_NOT_FOUND" });

      const leaving = await linkedPair();
      const theirs = await createLink({}, leaving);
      const owner = await asOwner(leaving);
      await expect(read(owner, theirs)).resolves.toBeTruthy();
      await call("DELETE", `/api/agents/${leaving.agent.agentId}`, { session: leaving.owner.session });
      await expect(read(owner, theirs)).rejects.toMatchObject({ code: "LINK_NOT_FOUND" });
    },
  );

  test("shows the link with its agent, receiving address and owner", async () => {
    const ctx = await asOwner(seller);
    const linkId = await createLink({ resourceContent: "Shelf 7" });
    await pay(linkId, claim());
    const { view, agentName } = await getForOwner(ctx, linkId);
    expect({ ...view, agentName }).toMatchObject({
      agentName: "Test agent",
      link: { linkId, resourceContent: "Shelf 7", agentId: seller.agent.agentId },
      uses: { settled: 1, open: 0 },
      payTo,
    });
  });
});

test("a proof that has expired by the chain's clock is stored as a refused attempt, and nothing is claimed", async () => {
  const ctx = await asOwner(seller);
  const linkId = await createLink();
  // The chain's clock is ahead of the wall clock for the rest of this file.
  await world.increaseTime(1_200);
  const response = await pay(linkId, claim());
  expect([response.status, body(response).code]).toEqual([402, "PAYMENT_EXPIRED"]);
  const { rows } = await attempts(ctx, linkId, { limit: 5 });
  expect(rows).toMatchObject([{ refusal: { code: "PAYMENT_EXPIRED" } }]);
});

test("a client that reports too many visits in a minute gets 429", async () => {
  const linkId = await createLink();
  await workers.stop();
  await wiring.closeSystem();
  Object.assign(process.env, { RATE_LIMITS: "visit_per_address=2/1h", TRUSTED_PROXIES: "1" });
  const visitId = newVisit();
  const from = (caller: string, step: string) =>
    call("POST", `/api/payment-links/${linkId}/visits`, {
      json: { visitId, step },
      headers: { "x-forwarded-for": caller },
    });
  for (const step of ["viewed", "viewed"]) expect((await from("203.0.113.9", step)).status).toBe(200);
  const response = await from("203.0.113.9", "connected");
  expect([response.status, body(response).code]).toEqual([429, "RATE_LIMITED"]);
  expect(await visitsOf(linkId)).toMatchObject([{ visit_id: visitId, connected_at: null }]);
  expect((await from("203.0.113.10", "connected")).status).toBe(200);
});
