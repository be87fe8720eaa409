import type { HDAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sellOffer } from "@/lib/checkout/sell-offer";
import { type Address, toAddress } from "@/lib/core/address";
import { AppError } from "@/lib/core/errors";
import type { LinkId } from "@/lib/core/ids";
import * as links from "@/lib/links/checkout/service";
import { createLog } from "@/lib/platform/log";
import type { Claim } from "@/lib/settlements/service";
import { subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { account as numbered } from "../support/accounts";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { startReplica, until } from "../support/replica";
import { empty } from "../support/reverting-transfers";
import { claimFrom, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 10_000n;
const CONTENT = "what was bought";
const CROWD = 100;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> } | undefined;
let seller: Parties;
const payTo = freshAddress();

/** Payers for simultaneous payments, each with a wallet. */
const crowd: HDAccount[] = Array.from({ length: CROWD }, (_, index) => numbered(1_000 + index));

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  Object.assign(process.env, { POLL_MILLISECONDS: "200", LEASE_SECONDS: "1" });
  testSystem = openSystem({ subscribers });
  wiring = await import("../support/wiring");
  seller = await linkedPair();
  await setReceivingAddress(seller, payTo);
  await world.mint(
    crowd.map(({ address }) => toAddress(address)),
    AMOUNT * 20n,
  );
  await work();
  await until(caughtUp, "the observer to read the chain");
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

afterEach(async () => {
  await work();
  await until(async () => (await openOnes()) === 0 && (await caughtUp()), "the settlements to end");
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

const person = (index: number): HDAccount => {
  const account = crowd[index];
  if (!account) throw new Error("not found");
  return account;
};

async function openOnes(): Promise<number> {
  const [row] =
    await testSystem.sql`select count(*)::int as n from settlements where state in ('claimed', 'prepared', 'broadcast')`;
  return row?.n as number;
}

async function caughtUp(): Promise<boolean> {
  const [row] = await testSystem.sql`select block_number from chain_cursors where network = 'base'`;
  return row !== undefined && BigInt(row.block_number) >= (await world.client().getBlockNumber());
}

async function work(): Promise<void> {
  workers ??= wiring.startWorkers();
}

/** Stops the relayer; a payer gets a response after `waitSeconds`. */
async function rest(waitSeconds: string): Promise<void> {
  await workers?.stop();
  workers = undefined;
  await waitFor(waitSeconds);
}

async function waitFor(waitSeconds: string): Promise<void> {
  await workers?.stop();
  const wasWorking = workers !== undefined;
  workers = undefined;
  await wiring.closeSystem();
  process.env.SETTLE_WAIT_SECONDS = waitSeconds;
  if (wasWorking) await work();
}

const body = (response: Answer) => response.body as Json;

async function createLink(json: object = {}): Promise<LinkId> {
  const fields = { amount: AMOUNT.toString(), resourceContent: CONTENT, ...json };
  const { status, body } = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json: fields });
  expect(status).toBe(200);
  return (body as Json).paymentLink.linkId;
}

const callAsOwner = (method: string, linkId: string, json?: object) =>
  call(method, `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt, ...(json && { json }) });
const linkNow = async (linkId: string): Promise<Json> => body(await callAsOwner("GET", linkId)).paymentLink;
const pay = (linkId: string, proof: Claim) => call("GET", `/paymentlink/${linkId}`, { headers: paying(proof) });
const proofOf = (payer: HDAccount, to: Address = payTo) => claimFrom(payer, to, AMOUNT);

const tally = (responses: { status: number; code: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { status, code } of responses) counts[`${status} ${code}`] = (counts[`${status} ${code}`] ?? 0) + 1;
  return counts;
};
const brief = (response: Answer) => ({ status: response.status, code: body(response).code ?? "none" });

async function countSent(): Promise<number> {
  const [row] = await testSystem.sql`select count(*)::int as n from relayer_transactions`;
  return row?.n as number;
}
async function statesOf(linkId: string): Promise<string[]> {
  const rows = await testSystem.sql`select state from settlements where subject = ${linkId} order by state`;
  return rows.map((row) => row.state);
}
const holdings = () => Promise.all(crowd.map(({ address }) => world.balanceOf(toAddress(address))));

async function allEnded(): Promise<void> {
  await until(async () => (await openOnes()) === 0, "the settlements to end");
}

test("of a hundred simultaneous payers at a link limited to ten, ten are charged and ninety are rejected before anything is sent", async () => {
  const linkId = await createLink({ maxUses: 10 });
  const holdingsBefore = await holdings();
  await rest("0.1");
  const sentBefore = await countSent();
  const proofs = crowd.map((payer) => proofOf(payer));
  const responses = await Promise.all(proofs.map((proof) => pay(linkId, proof)));
  expect(tally(responses.map(brief))).toEqual({ "202 none": 10, "410 LINK_SOLD_OUT": 90 });
  expect(await countSent()).toBe(sentBefore);
  expect(await statesOf(linkId)).toEqual(Array(10).fill("claimed"));
  expect(await linkNow(linkId)).toMatchObject({ useCount: 0, unavailableReason: "LINK_SOLD_OUT" });

  await waitFor("25");
  await work();
  await allEnded();
  expect(await statesOf(linkId)).toEqual(Array(10).fill("settled"));
  const charged = responses.map((response) => (response.status === 202 ? AMOUNT : 0n));
  expect(await holdings()).toEqual(holdingsBefore.map((balance, index) => balance - (charged[index] ?? 0n)));
  expect(await linkNow(linkId)).toMatchObject({ useCount: 10, unavailableReason: "LINK_SOLD_OUT" });
  for (const [index, proof] of proofs.entries()) {
    const repeatedResponse = await pay(linkId, proof);
    expect(repeatedResponse.status).toBe(responses[index]?.status === 202 ? 409 : 410);
  }
});

test("two server processes share the uses of one link", async () => {
  const linkId = await createLink({ maxUses: 7 });
  const replica = await startReplica();
  const responses = await Promise.all(
    crowd.slice(0, 60).map((payer, index) => {
      const headers = paying(proofOf(payer));
      return call("GET", `/paymentlink/${linkId}`, { headers, ...(index % 2 === 1 && { port: replica.port }) });
    }),
  );
  await replica.kill();
  expect(tally(responses.map(brief))).toEqual({ "200 none": 7, "410 LINK_SOLD_OUT": 53 });
  expect(await statesOf(linkId)).toEqual(Array(7).fill("settled"));
});

test("one proof presented twenty times at once takes one use of the link, and each response names that settlement", async () => {
  const [linkId, otherLinkId] = [await createLink({ maxUses: 1 }), await createLink({ maxUses: 1 })];
  const proof = proofOf(person(0));
  const balanceBefore = await world.balanceOf(proof.authorization.from);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => pay(index % 4 === 3 ? otherLinkId : linkId, proof)),
  );
  expect(tally(responses.map(brief))).toEqual({ "200 none": 1, "409 PAYMENT_ALREADY_USED": 19 });
  expect(new Set(responses.map((response) => body(response).settlementId)).size).toBe(1);
  expect(await world.balanceOf(proof.authorization.from)).toBe(balanceBefore - AMOUNT);
  const uses = [await linkNow(linkId), await linkNow(otherLinkId)].map((link) => link.useCount);
  expect(uses.sort()).toEqual([0, 1]);
});

test.each<[string, number, (linkId: string) => Promise<unknown>]>([
  ["disabled", 410, (linkId) => callAsOwner("PATCH", linkId, { status: "disabled" })],
  [
    "expired",
    410,
    (linkId) => testSystem.sql`update payment_links set expires_at = '2020-01-01T00:00:00Z' where link_id = ${linkId}`,
  ],
  ["deleted", 404, (linkId) => callAsOwner("DELETE", linkId)],
  [
    "changed and sold out by it",
    410,
    (linkId) => callAsOwner("PATCH", linkId, { resourceContent: null, description: "x", maxUses: 1 }),
  ],
])(
  "a pending payment completes with its content although the link is %s meanwhile, and a later payment is rejected",
  async (_, status, then) => {
    const linkId = await createLink();
    await rest("25");
    const first = pay(linkId, proofOf(person(1)));
    await until(async () => (await statesOf(linkId)).length === 1, "the claim");
    await then(linkId);
    const lateClaim = proofOf(person(2));
    const balanceBefore = await world.balanceOf(lateClaim.authorization.from);
    expect((await pay(linkId, lateClaim)).status).toBe(status);
    await work();
    const response = await first;
    expect([response.status, body(response).resource]).toEqual([200, CONTENT]);
    const { search } = new URL(body(response).contentUrl);
    const boughtResponse = await call("GET", `/api/settlements/${body(response).settlementId}${search}`);
    expect(body(boughtResponse).content).toBe(CONTENT);
    expect(await world.balanceOf(lateClaim.authorization.from)).toBe(balanceBefore);
    expect(await statesOf(linkId)).toEqual(["settled"]);
  },
);

test("when a link is disabled under load, accepted payments settle, and no payment is accepted after the response", async () => {
  const linkId = await createLink();
  const early = crowd.slice(0, 30).map((payer) => pay(linkId, proofOf(payer)));
  await callAsOwner("PATCH", linkId, { status: "disabled" });
  const late = crowd.slice(30, 50).map((payer) => pay(linkId, proofOf(payer)));
  expect(tally((await Promise.all(late)).map(brief))).toEqual({ "410 LINK_DISABLED": 20 });
  const tallyBefore = tally((await Promise.all(early)).map(brief));
  expect((tallyBefore["200 none"] ?? 0) + (tallyBefore["410 LINK_DISABLED"] ?? 0)).toBe(30);
  expect(await statesOf(linkId)).toEqual(Array(tallyBefore["200 none"] ?? 0).fill("settled"));
});

test("when a link's payment limit is lowered under load, it never falls below the accepted payments", async () => {
  const linkId = await createLink({ maxUses: 40 });
  const traffic = Promise.all(crowd.slice(0, 60).map((payer) => pay(linkId, proofOf(payer))));
  const edits: Answer[] = [];
  for (const maxUses of [3, 6, 12, 24]) edits.push(await callAsOwner("PATCH", linkId, { maxUses }));
  const responses = tally((await traffic).map(brief));
  const { maxUses, useCount } = await linkNow(linkId);
  for (const edit of edits) expect([200, 400]).toContain(edit.status);
  expect(responses["200 none"]).toBe(useCount);
  expect(useCount).toBeLessThanOrEqual(maxUses);
  expect((responses["200 none"] ?? 0) + (responses["410 LINK_SOLD_OUT"] ?? 0)).toBe(60);
});

test("a use of a link is held while its payment can still be made, and released once the payment is void", async () => {
  const linkId = await createLink({ maxUses: 2 });
  const poor = [0, 1].map((index) => numbered(5_000 + index));
  for (const { address } of poor) await world.mint(toAddress(address), AMOUNT);
  await rest("25");
  const failing = poor.map((payer) => pay(linkId, claimFrom(payer, payTo, AMOUNT, { windowSeconds: 60 })));
  await until(async () => (await statesOf(linkId)).length === 2, "both claims");
  expect(brief(await pay(linkId, proofOf(person(3))))).toEqual({ status: 410, code: "LINK_SOLD_OUT" });
  // The payers had the money at the claim and spent it afterwards.
  for (const { address } of poor) await empty(world, toAddress(address));
  await work();
  expect(tally((await Promise.all(failing)).map(brief))).toEqual({ "500 SETTLEMENT_FAILED": 2 });
  expect(await linkNow(linkId)).toMatchObject({ useCount: 0, isPayable: false });
  await world.increaseTime(90);
  await until(async () => (await statesOf(linkId)).every((state) => state === "void"), "the proofs to run out");
  expect(await linkNow(linkId)).toMatchObject({ useCount: 0, isPayable: true });
  const responses = await Promise.all(crowd.slice(0, 10).map((payer) => pay(linkId, proofOf(payer))));
  expect(tally(responses.map(brief))).toEqual({ "200 none": 2, "410 LINK_SOLD_OUT": 8 });
  expect(await statesOf(linkId)).toEqual(["settled", "settled", "void", "void"]);
});

describe("with a database that fails on demand", () => {
  test("the response is pending when the content cannot be read, never an error that suggests paying again", async () => {
    const linkId = await createLink();
    const proof = proofOf(person(5));
    const { system } = testSystem;
    const { offer } = await links.offer(system, linkId);
    const ctx = { ...system, log: createLog("silent"), requestId: "test", actor: { type: "anonymous" as const } };
    const req = new Request(`${BASE_URL}/paymentlink/${linkId}`, { headers: paying(proof) });
    const response = await sellOffer(ctx, req, offer, {
      onSettled: () => Promise.reject(new Error("no connection")),
      onPending: () => ({ contentUrl: "https://example.com/key" }),
    });
    expect([response.status, response.body]).toMatchObject([
      202,
      { status: "pending", settlementId: expect.stringMatching(/^stl_/), contentUrl: "https://example.com/key" },
    ]);
    expect(await statesOf(linkId)).toEqual(["settled"]);
  });

  test("the response has the settlement's id and where to read it when it is unknown whether the proof was claimed", async () => {
    const linkId = await createLink();
    const { system } = testSystem;
    const { offer } = await links.offer(system, linkId);
    const db = new Proxy(system.db, {
      get: (target, name) =>
        name === "transaction" ? () => Promise.reject(new Error("the connection broke")) : Reflect.get(target, name),
    });
    const ctx = { ...system, db, log: createLog("silent"), requestId: "test", actor: { type: "anonymous" as const } };
    const req = new Request(`${BASE_URL}/paymentlink/${linkId}`, { headers: paying(proofOf(person(5))) });
    const responses = {
      onSettled: () => ({}),
      onPending: ({ id }: { id: string }) => ({ contentUrl: `https://example.com/${id}` }),
    };
    const caught = await sellOffer(ctx, req, offer, responses).catch((error: unknown) => error);
    expect(caught).toBeInstanceOf(AppError);
    const { settlementId } = (caught as AppError).details ?? {};
    expect(caught).toMatchObject({
      code: "SETTLEMENT_UNKNOWN",
      details: { contentUrl: `https://example.com/${settlementId}` },
    });
    expect(settlementId).toMatch(/^stl_/);
  });

  test("a request that fails while another one claims the same proof tells its payer to present that proof, not to sign a new one", async () => {
    const linkId = await createLink();
    const proof = proofOf(person(6));
    const { system } = testSystem;
    const { offer } = await links.offer(system, linkId);
    const overtaken = async () => {
      await pay(linkId, proof);
      throw new Error("the connection broke");
    };
    const db = new Proxy(system.db, {
      get: (target, name) => (name === "transaction" ? overtaken : Reflect.get(target, name)),
    });
    const ctx = { ...system, db, log: createLog("silent"), requestId: "test", actor: { type: "anonymous" as const } };
    const req = new Request(`${BASE_URL}/paymentlink/${linkId}`, { headers: paying(proof) });
    const caught = await sellOffer(ctx, req, offer, { onSettled: () => ({}), onPending: () => ({}) }).catch(
      (error: unknown) => error,
    );
    expect(caught).toMatchObject({
      code: "SETTLEMENT_UNKNOWN",
      message: expect.stringContaining("present that proof once more"),
    });
    const { settlementId } = (caught as AppError).details ?? {};
    expect((await call("GET", `/api/settlements/${settlementId}`)).status).toBe(404);
    const repeatedResponse = await pay(linkId, proof);
    expect(repeatedResponse).toMatchObject({ status: 409, body: { settlementId: expect.stringMatching(/^stl_/) } });
    expect((repeatedResponse.body as Json).settlementId).not.toBe(settlementId);
    expect(await statesOf(linkId)).toEqual(["settled"]);
  });
});

test("a reorganisation reverses a payment, but does not free its use of the link", async () => {
  const linkId = await createLink({ maxUses: 1 });
  const first = await pay(linkId, proofOf(person(4)));
  expect(first.status).toBe(200);
  await world.reorg(1);
  for (let index = 10; index < 20; index++) {
    expect(brief(await pay(linkId, proofOf(person(index))))).toEqual({ status: 410, code: "LINK_SOLD_OUT" });
  }
  const unwound = () => testSystem.sql`select 1 from events where type = 'chain.reorganised'`;
  await until(async () => (await unwound()).length === 1, "the observer to see it");
  await until(async () => (await openOnes()) === 0 && (await caughtUp()), "the payment to be made again");
  expect(await statesOf(linkId)).toEqual(["settled"]);
  expect(await linkNow(linkId)).toMatchObject({ useCount: 1 });
});

test.each(["relayer.stored", "relayer.sent", "observer.read", "observer.applied"])(
  "a process killed at %s neither loses a use nor sells one twice",
  async (place) => {
    const linkId = await createLink({ maxUses: 3 });
    await rest("0.1");
    const doomed = await startReplica({ FAILPOINTS: `${place}=kill` });
    const responses = await Promise.all(crowd.slice(0, 8).map((payer) => pay(linkId, proofOf(payer))));
    const takenResponse = responses.filter((response) => response.status === 202 || response.status === 200);
    expect(takenResponse).toHaveLength(3);
    expect(await doomed.died).toBe("SIGKILL");
    expect(brief(await pay(linkId, proofOf(person(9))))).toEqual({ status: 410, code: "LINK_SOLD_OUT" });
    await waitFor("25");
    await work();
    await allEnded();
    expect(await statesOf(linkId)).toEqual(Array(3).fill("settled"));
    for (const response of takenResponse) {
      const { search } = new URL(body(response).contentUrl);
      const boughtResponse = await call("GET", `/api/settlements/${body(response).settlementId}${search}`);
      expect(body(boughtResponse)).toMatchObject({ settlementStatus: "settled", content: CONTENT });
    }
  },
);
