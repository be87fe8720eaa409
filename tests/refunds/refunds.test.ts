import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { IS_IN_PROCESS } from "../support/base-url";
import { setReceivingAddress } from "../support/confirmations";
import { type Answer, BASE_URL, call } from "../support/http";
import { expectInvariants } from "../support/invariants";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { until } from "../support/replica";
import { empty } from "../support/reverting-transfers";
import { claimFrom, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 250_000n;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY_MS = 86_400_000;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> };
let seller: Parties;
let stranger: Parties;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  Object.assign(process.env, { POLL_MILLISECONDS: "400" });
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  seller = await linkedPair();
  stranger = await linkedPair();
  workers = wiring.startWorkers();
  await world.mint(payer(), 1_000_000_000n);
  await world.mint(payer(), 1_000_000_000n, "base-sepolia");
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

expectInvariants(() => testSystem.system);

const account = (): HDAccount => {
  const [first] = world.accounts;
  if (!first) throw new Error("no accounts");
  return first;
};
const payer = (): Address => toAddress(account().address);
const body = (response: Answer) => response.body as Json;

type Sale = { paymentId: number; linkId: string; payTo: Address; txHash: string };

/** A link of the seller that was paid once. */
async function sellOnce(json: object = {}, network: "base" | "base-sepolia" = "base"): Promise<Sale> {
  const fields = { amount: AMOUNT.toString(), description: "A report", network, ...json };
  const created = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json: fields });
  const { linkId, payTo } = body(created).paymentLink;
  const proof = claimFrom(account(), payTo, AMOUNT, { network });
  const { status } = await call("GET", `/paymentlink/${linkId}`, { headers: paying(proof) });
  expect(status).toBe(200);
  const listed = await call("GET", `/api/payment-links/${linkId}/payments`, { bearer: seller.agent.jwt });
  const [{ id, settlementTxHash }] = body(listed).payments;
  return { paymentId: id, linkId, payTo, txHash: settlementTxHash };
}

const initiate = (json: object, { agent }: Parties = seller) =>
  call("POST", "/api/payment-links/refunds/initiate", { bearer: agent.jwt, json });
const refund = (id: string, { agent }: Parties = seller) =>
  call("GET", `/api/payment-links/refunds/${id}`, { bearer: agent.jwt });
const cancel = (id: string, { agent }: Parties = seller) =>
  call("POST", `/api/payment-links/refunds/${id}/cancel`, { bearer: agent.jwt });
const decide = (id: string, verb: "approve" | "reject", { owner }: Parties = seller) =>
  call("POST", `/api/refunds/${id}/${verb}`, { session: owner.session });
const payment = async (id: number): Promise<Json> =>
  body(await call("GET", `/api/received-payments/${id}`, { bearer: seller.agent.jwt })).payment;
const requestRefund = async (json: object): Promise<string> => {
  const response = await initiate(json);
  expect([response.status, response.body]).toMatchObject([201, { status: "pending" }]);
  return body(response).refundId;
};
const typesOf = async (subject: string) => {
  const rows = await testSystem.sql`select type from events where subject = ${subject} order by created_at, type`;
  return rows.map((row) => row.type);
};
const expire = (id: string) =>
  testSystem.sql`update refunds set expires_at = now() - interval '1 millisecond' where refund_id = ${id}`;

describe("requesting a refund", () => {
  test("returns every field, and nothing moves before the owner approves", async () => {
    const { paymentId, linkId, payTo, txHash } = await sellOnce();
    const balanceBefore = await world.balanceOf(payer());
    const response = await initiate({ paymentId, reason: "The report was late" });
    const { refundId, createdAt } = body(response);
    expect([response.status, response.body]).toEqual([
      201,
      {
        refundId: expect.stringMatching(/^rfd_[0-9A-Za-z]{24}$/),
        refundUrl: `${BASE_URL}/authorize/refund/${refundId}`,
        paymentId,
        linkId,
        sourceType: "payment_link",
        amount: AMOUNT.toString(),
        amountFormatted: "0.25",
        currency: "USDC",
        network: "base",
        refundFrom: payTo,
        refundTo: payer(),
        status: "pending",
        refundTxHash: null,
        refundType: "full",
        reason: "The report was late",
        originalAmount: AMOUNT.toString(),
        originalTxHash: txHash,
        agentName: expect.any(String),
        requestedBy: "agent",
        isApproved: false,
        cancelledBy: null,
        failureCode: null,
        stillValidUntil: null,
        settlementId: null,
        receiptUrl: null,
        expiresAt: new Date(Date.parse(createdAt) + DAY_MS).toISOString(),
        createdAt: expect.stringMatching(ISO),
      },
    ]);
    expect((await refund(refundId)).body).toEqual(response.body);
    expect(await payment(paymentId)).toMatchObject({ settlementStatus: "settled", refundedAmount: "0" });
    expect(await world.balanceOf(payer())).toBe(balanceBefore);
    expect(await typesOf(refundId)).toEqual(["refund.created"]);
    await cancel(refundId);
  });

  test.each<[string, object, string]>([
    ["no payment", {}, "paymentId"],
    ["a payment as text", { paymentId: "1" }, "paymentId"],
    ["half a payment", { paymentId: 1.5 }, "paymentId"],
    ["payment zero", { paymentId: 0 }, "paymentId"],
    ["a number past all", { paymentId: 2 ** 60 }, "paymentId"],
    ["amount zero", { paymentId: 1, amount: "0" }, "amount"],
    ["an amount below zero", { paymentId: 1, amount: "-1" }, "amount"],
    ["a decimal amount", { paymentId: 1, amount: "0.25" }, "amount"],
    ["an amount as a number", { paymentId: 1, amount: 1 }, "amount"],
    ["no amount by name", { paymentId: 1, amount: null }, "amount"],
    ["an amount past 256 bits", { paymentId: 1, amount: "9".repeat(78) }, "amount"],
    ["a reason too long", { paymentId: 1, reason: "x".repeat(1001) }, "reason"],
    ["a reason with a null byte", { paymentId: 1, reason: "a\u0000b" }, "reason"],
    ["half a letter", { paymentId: 1, reason: "\ud800" }, "reason"],
  ])("with %s is rejected with 400 and requests nothing", async (_, json, field) => {
    const [rowsBefore] = await testSystem.sql`select count(*)::int as n from refunds`;
    const response = await initiate(json);
    expect([response.status, response.body]).toMatchObject([400, { code: "INVALID_REQUEST", field }]);
    const owners = await call("POST", "/api/refunds", { session: seller.owner.session, json });
    expect([owners.status, owners.body]).toMatchObject([400, { code: "invalid_request", field }]);
    expect(await testSystem.sql`select count(*)::int as n from refunds`).toMatchObject([{ n: rowsBefore?.n }]);
  });

  test("for another agent's payment, or an unknown one, is 404", async () => {
    const { paymentId } = await sellOnce();
    for (const [json, parties] of [
      [{ paymentId }, stranger],
      [{ paymentId: 999_999_999 }, seller],
    ] as const) {
      const response = await initiate(json, parties);
      expect([response.status, response.body]).toMatchObject([404, { code: "PAYMENT_NOT_FOUND" }]);
      const owners = await call("POST", "/api/refunds", { session: parties.owner.session, json });
      expect([owners.status, owners.body]).toMatchObject([404, { code: "payment_not_found" }]);
    }
  });

  test("is rejected for a payment that is not settled", async () => {
    const { linkId, payTo } = await sellOnce();
    const poor = world.accounts[5];
    if (!poor) throw new Error("no accounts");
    await world.mint(toAddress(poor.address), AMOUNT);
    await workers.stop();
    const unsettled = call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(poor, payTo, AMOUNT)) });
    await until(async () => {
      const [row] = await testSystem.sql`select 1 from settlements where payer = ${poor.address} and state = 'claimed'`;
      return row !== undefined;
    }, "the claim");
    // Between the claim and the transfer.
    await empty(world, toAddress(poor.address));
    workers = wiring.startWorkers();
    expect((await unsettled).status).toBe(500);
    const { body: listed } = await call("GET", `/api/payment-links/${linkId}/payments`, { bearer: seller.agent.jwt });
    const [{ id, settlementStatus }] = (listed as Json).payments;
    expect(settlementStatus).toBe("pending");
    const response = await initiate({ paymentId: id });
    expect([response.status, response.body]).toMatchObject([409, { code: "PAYMENT_NOT_SETTLED" }]);
  });

  test("several times is limited to the payment's amount: waiting refunds count, those that ended without money do not", async () => {
    const { paymentId } = await sellOnce();
    const expectExceeds = (json: object, refundable: string) =>
      expect(initiate({ paymentId, ...json }).then(({ status, body }) => [status, body])).resolves.toMatchObject([
        400,
        { code: "REFUND_EXCEEDS_PAYMENT", refundable },
      ]);
    await expectExceeds({ amount: "250001" }, "250000");
    const first = await requestRefund({ paymentId, amount: "100000" });
    await expectExceeds({ amount: "150001" }, "150000");
    const second = await requestRefund({ paymentId, amount: "150000" });
    await expectExceeds({ amount: "1" }, "0");
    await expectExceeds({}, "0");
    await cancel(first);
    await expectExceeds({ amount: "100001" }, "100000");
    await expire(second);
    expect(body(await refund(second)).status).toBe("expired");
    const third = body(await initiate({ paymentId }));
    expect(third).toMatchObject({ amount: "250000", refundType: "full" });
    await cancel(third.refundId);
  });

  test("simultaneously is limited to the payment's amount too", async () => {
    const { paymentId } = await sellOnce();
    const responses = await Promise.all(Array.from({ length: 12 }, () => initiate({ paymentId, amount: "100000" })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(10).fill(400)]);
    for (const { status, body } of responses) if (status === 201) await cancel((body as Json).refundId);
  });

  test("makes a refund in the agent's list, which is sorted newest first, paged by cursor or offset, and has only its own", async () => {
    const { paymentId } = await sellOnce();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.unshift(await requestRefund({ paymentId, amount: "1000" }));
    const list = async (query: string, { agent }: Parties = seller): Promise<Json> =>
      body(await call("GET", `/api/payment-links/refunds${query}`, { bearer: agent.jwt }));
    const first = await list("?limit=2");
    expect(first).toMatchObject({ success: true, refunds: [{ refundId: ids[0] }, { refundId: ids[1] }] });
    expect((await list(`?limit=1&cursor=${first.nextCursor}`)).refunds).toMatchObject([{ refundId: ids[2] }]);
    expect((await list("?limit=1&offset=2")).refunds).toMatchObject([{ refundId: ids[2] }]);
    expect(await list("", stranger)).toEqual({ success: true, refunds: [], nextCursor: null });
    expect((await call("GET", "/api/payment-links/refunds?limit=0", { bearer: seller.agent.jwt })).status).toBe(400);
    for (const id of ids) await cancel(id);
  });
});

describe("the owner's decision on a refund", () => {
  test("as approved pays it once to the payer, and records it", async () => {
    const { paymentId, payTo } = await sellOnce();
    const [balanceBefore, balance] = [await world.balanceOf(payer()), await world.balanceOf(payTo)];
    const first = await requestRefund({ paymentId, amount: "100000" });
    const response = await decide(first, "approve");
    expect([response.status, response.body]).toMatchObject([
      200,
      { status: "ok", refund: { status: "settled", isApproved: true, refundType: "partial", refundFrom: payTo } },
    ]);
    const { refundTxHash, settlementId, receiptUrl } = body(response).refund;
    expect(refundTxHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(receiptUrl).toBe(`${BASE_URL}/receipt/${settlementId}`);
    expect(await world.balanceOf(payer())).toBe(balanceBefore + 100_000n);
    expect(await world.balanceOf(payTo)).toBe(balance - 100_000n);
    expect(await payment(paymentId)).toMatchObject({ settlementStatus: "settled", refundedAmount: "100000" });
    expect((await typesOf(first)).sort()).toEqual(["refund.approved", "refund.created", "refund.settled"]);

    const rest = await requestRefund({ paymentId });
    expect(body(await decide(rest, "approve")).refund).toMatchObject({ status: "settled", amount: "150000" });
    expect(await payment(paymentId)).toMatchObject({ settlementStatus: "refunded", refundedAmount: "250000" });
    expect((await initiate({ paymentId, amount: "1" })).status).toBe(400);
    expect(await world.balanceOf(payer())).toBe(balanceBefore + AMOUNT);

    const repeatedResponse = await decide(first, "approve");
    expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([410, { code: "refund_settled" }]);
    const lateResponse = await cancel(first);
    expect([lateResponse.status, lateResponse.body]).toMatchObject([410, { code: "REFUND_SETTLED" }]);
    // A refund does not count as a sale.
    const received = await call("GET", "/api/received-payments?limit=100", { bearer: seller.agent.jwt });
    expect(body(received).payments.filter((row: Json) => row.settlementId === settlementId)).toEqual([]);
  });

  test("works on Base Sepolia too, from the wallet on that network", async () => {
    const { paymentId } = await sellOnce({}, "base-sepolia");
    const balanceBefore = await world.balanceOf(payer(), "base-sepolia");
    const id = await requestRefund({ paymentId });
    expect(body(await decide(id, "approve")).refund).toMatchObject({ status: "settled", network: "base-sepolia" });
    expect(await world.balanceOf(payer(), "base-sepolia")).toBe(balanceBefore + AMOUNT);
  });

  test("appears as the refunded amount on the public receipt of the payment", async () => {
    const { paymentId } = await sellOnce();
    const { settlementId } = await payment(paymentId);
    const read = async () => {
      const [one, otherResponse] = await Promise.all([
        call("GET", `/api/settlements/${settlementId}`),
        // The same in the test's process, which has no page at the other address.
        IS_IN_PROCESS ? null : call("GET", `/receipt/${settlementId}`, { headers: { accept: "application/json" } }),
      ]);
      if (otherResponse) expect(otherResponse.body).toEqual(one.body);
      return body(one);
    };
    const page = async () =>
      (await call("GET", `/receipt/${settlementId}`, { headers: { accept: "text/html" } })).text.replaceAll(
        "<!-- -->",
        "",
      );
    const signed = async () => body(await call("GET", `/api/settlements/${settlementId}/receipt`)).receipt;
    const signedBefore = await signed();
    expect(await read()).toMatchObject({ settlementStatus: "settled", amount: "250000", refundedAmount: "0" });
    if (!IS_IN_PROCESS) expect(await page()).not.toContain("efunded");
    const waiting = await requestRefund({ paymentId, amount: "100000", reason: "Between us" });
    expect(await read()).toMatchObject({ refundedAmount: "0" });
    const { refund: part } = body(await decide(waiting, "approve"));
    expect(part.status).toBe("settled");
    expect(await read()).toMatchObject({ settlementStatus: "settled", refundedAmount: "100000" });
    if (!IS_IN_PROCESS) {
      const html = await page();
      for (const message of ["Refunded 0.10 of 0.25 USDC", `href="/receipt/${part.settlementId}"`, ">Paid<"])
        expect(html).toContain(message);
      expect(html).not.toContain("Between us");
    }
    const { refund: rest } = body(await decide(await requestRefund({ paymentId }), "approve"));
    expect(await read()).toMatchObject({ settlementStatus: "settled", refundedAmount: "250000" });
    if (!IS_IN_PROCESS) {
      const html = await page();
      for (const id of [part.settlementId, rest.settlementId]) expect(html).toContain(`href="/receipt/${id}"`);
      expect(html).toContain("Refunded 0.25 of 0.25 USDC");
      expect(html).not.toContain(">Paid<");
    }
    expect(await signed()).toEqual(signedBefore);
    const ofRefund = await call("GET", `/api/settlements/${rest.settlementId}`);
    expect(ofRefund.body).toMatchObject({ purpose: "refund", refundedAmount: "0" });
  });

  test("as approved, twenty times at once, pays it once", async () => {
    const { paymentId } = await sellOnce();
    await sellOnce();
    const id = await requestRefund({ paymentId });
    const balanceBefore = await world.balanceOf(payer());
    const responses = await Promise.all(Array.from({ length: 20 }, () => decide(id, "approve")));
    await until(async () => body(await refund(id)).status === "settled", "the refund");
    const paidResponse = responses.filter(({ status }) => status === 200);
    const refusal = responses.filter(({ status }) => status !== 200).map(({ body }) => (body as Json).code);
    expect(paidResponse).toHaveLength(1);
    expect(refusal.every((code) => code === "refund_approved" || code === "refund_settled")).toBe(true);
    expect(await world.balanceOf(payer())).toBe(balanceBefore + AMOUNT);
    const [row] = await testSystem.sql`select count(*)::int as n from settlements where subject = ${id}`;
    expect(row?.n).toBe(1);
  });

  test("as approved and as cancelled at the same time: exactly one of the two succeeds", async () => {
    for (let round = 0; round < 5; round++) {
      const { paymentId } = await sellOnce();
      const id = await requestRefund({ paymentId });
      const balanceBefore = await world.balanceOf(payer());
      const [approval, cancellation] = await Promise.all([decide(id, "approve"), cancel(id)]);
      await until(async () => ["settled", "cancelled"].includes(body(await refund(id)).status), "the refund");
      const { status } = body(await refund(id));
      expect([approval.status, cancellation.status]).toEqual(status === "settled" ? [200, 409] : [410, 200]);
      expect(await world.balanceOf(payer())).toBe(status === "settled" ? balanceBefore + AMOUNT : balanceBefore);
    }
  });

  test("on another refund does not pay one that expired meanwhile", async () => {
    const { paymentId } = await sellOnce();
    const first = await requestRefund({ paymentId });
    await expire(first);
    const second = await requestRefund({ paymentId });
    // Simulates that the refund expired during its approval.
    await testSystem.sql`update refunds set expires_at = now() + interval '1 hour' where refund_id = ${first}`;
    const balanceBefore = await world.balanceOf(payer());
    const responses = await Promise.all([decide(first, "approve"), decide(second, "approve")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(responses.find(({ status }) => status === 400)?.body).toMatchObject({ code: "refund_exceeds_payment" });
    expect(await world.balanceOf(payer())).toBe(balanceBefore + AMOUNT);
  });

  test("pays nothing if a reorganisation reversed the payment", async () => {
    const { paymentId } = await sellOnce();
    const id = await requestRefund({ paymentId });
    const { settlementId } = await payment(paymentId);
    await workers.stop();
    // The state after a block was replaced.
    const [rowsBefore] = await testSystem.sql`select state, ended_at from settlements where id = ${settlementId}`;
    await testSystem.sql`update settlements set state = 'broadcast', ended_at = null where id = ${settlementId}`;
    const response = await decide(id, "approve");
    expect([response.status, response.body]).toMatchObject([409, { code: "payment_not_settled" }]);
    await testSystem.sql`update settlements set state = ${rowsBefore?.state}, ended_at = ${rowsBefore?.ended_at} where id = ${settlementId}`;
    workers = wiring.startWorkers();
    expect(body(await refund(id))).toMatchObject({ status: "pending", isApproved: false });
    expect(body(await decide(id, "approve")).refund.status).toBe("settled");
  });

  test("as approved without enough money leaves the refund unchanged, and can be repeated later", async () => {
    const { owner, agent } = await linkedPair();
    const elsewhere = freshAddress();
    const parties = { owner, agent };
    await setReceivingAddress(parties, elsewhere);
    const createdResponse = await call("POST", "/api/payment-links", {
      bearer: agent.jwt,
      json: { amount: AMOUNT.toString(), description: "A report" },
    });
    const { linkId } = body(createdResponse).paymentLink;
    await call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(account(), elsewhere, AMOUNT)) });
    const [{ id: paymentId }] = body(await call("GET", "/api/received-payments", { bearer: agent.jwt })).payments;
    const { refundId, refundFrom } = body(await initiate({ paymentId }, parties));
    expect(refundFrom).not.toBe(elsewhere);
    const poor = await decide(refundId, "approve", parties);
    expect([poor.status, poor.body]).toMatchObject([409, { code: "insufficient_balance" }]);
    expect(body(await refund(refundId, parties))).toMatchObject({ status: "pending", isApproved: false });
    await world.mint(refundFrom, AMOUNT);
    expect(body(await decide(refundId, "approve", parties)).refund).toMatchObject({ status: "settled" });
    expect(await world.balanceOf(refundFrom)).toBe(0n);

    // Of two at once that the wallet cannot both pay, one stays as it was.
    const ids: string[] = [];
    for (const _ of [1, 2]) {
      await call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(account(), elsewhere, AMOUNT)) });
      const [newest] = body(await call("GET", "/api/received-payments", { bearer: agent.jwt })).payments;
      ids.push(body(await initiate({ paymentId: newest.id }, parties)).refundId);
    }
    await world.mint(refundFrom, AMOUNT);
    const both = await Promise.all(ids.map((id) => decide(id, "approve", parties)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ code: "insufficient_balance" });
    const states = await Promise.all(ids.map(async (id) => body(await refund(id, parties)).isApproved));
    expect(states.sort()).toEqual([false, true]);
  });

  test("as rejected moves nothing, and records who rejected it", async () => {
    const { paymentId } = await sellOnce();
    const id = await requestRefund({ paymentId });
    expect(body(await decide(id, "reject")).refund).toMatchObject({ status: "cancelled", cancelledBy: "owner" });
    const approval = await decide(id, "approve");
    expect([approval.status, approval.body]).toMatchObject([410, { code: "refund_cancelled" }]);
    expect((await cancel(id)).body).toMatchObject({ status: "cancelled", cancelledBy: "owner" });
    expect((await typesOf(id)).sort()).toEqual(["refund.cancelled", "refund.created"]);
    const taken = await requestRefund({ paymentId });
    expect((await cancel(taken)).body).toMatchObject({ status: "cancelled", cancelledBy: "agent" });
  });

  test("is refused after 24 hours", async () => {
    const { paymentId } = await sellOnce();
    const id = await requestRefund({ paymentId });
    await expire(id);
    expect((await decide(id, "approve")).body).toMatchObject({ code: "refund_expired" });
    const response = await cancel(id);
    expect([response.status, response.body]).toMatchObject([410, { code: "REFUND_EXPIRED" }]);
    expect(body(await refund(id)).status).toBe("expired");
  });

  test("is possible for a refund that the owner prepared, also for a deleted agent's payment", async () => {
    const parties = await linkedPair();
    const createdResponse = await call("POST", "/api/payment-links", {
      bearer: parties.agent.jwt,
      json: { amount: AMOUNT.toString() },
    });
    const { linkId, payTo } = body(createdResponse).paymentLink;
    await call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(account(), payTo, AMOUNT)) });
    const listed = await call("GET", "/api/received-payments", { bearer: parties.agent.jwt });
    const [{ id: paymentId }] = body(listed).payments;
    const { session } = parties.owner;
    expect((await call("DELETE", `/api/agents/${parties.agent.agentId}`, { session })).status).toBe(200);
    const response = await call("POST", "/api/refunds", { session, json: { paymentId, amount: "1" } });
    expect([response.status, response.body]).toMatchObject([
      201,
      { status: "ok", refund: { requestedBy: "owner", refundType: "partial", reason: null } },
    ]);
    expect(body(await decide(body(response).refund.refundId, "approve", parties)).refund.status).toBe("settled");
  });
});

describe("refunds in the owner's lists", () => {
  test("are sums in the CSV file of received payments, which can be filtered by them", async () => {
    const [whole, part, none] = [await sellOnce(), await sellOnce(), await sellOnce()];
    for (const json of [{ paymentId: whole.paymentId }, { paymentId: part.paymentId, amount: "1" }]) {
      expect(body(await decide(await requestRefund(json), "approve")).refund.status).toBe("settled");
    }
    const idsOf = async (query: string) => {
      const { text } = await call("GET", `/api/received-payments.csv${query}`, { session: seller.owner.session });
      return new Map(text.split("\r\n").map((line) => [Number(line.split(",")[1]), line] as const));
    };
    const all = await idsOf("");
    expect(all.get(whole.paymentId)).toMatch(/,refunded,,1,,250000,0\.25,.*,250000,0\.25,,,,$/);
    expect(all.get(part.paymentId)).toMatch(/,settled,,1,,250000,0\.25,.*,1,0\.000001,,,,$/);
    expect(all.get(none.paymentId)).toMatch(/,settled,,1,,250000,0\.25,.*,0,0\.00,,,,$/);
    const refunded = await idsOf("?status=refunded");
    expect([whole, part, none].map(({ paymentId }) => refunded.has(paymentId))).toEqual([true, false, false]);
    const settled = await idsOf("?status=settled");
    expect([whole, part, none].map(({ paymentId }) => settled.has(paymentId))).toEqual([false, true, true]);
    expect([...(await idsOf("?status=failed")).keys()]).not.toContain(whole.paymentId);
    const others = await call("GET", "/api/received-payments.csv?status=refunded", { session: stranger.owner.session });
    expect(others.text.trim().split("\r\n")).toHaveLength(1);
  });
});

describe("access to refunds", () => {
  test("is 404 for another owner, with every action", async () => {
    const { paymentId } = await sellOnce();
    const id = await requestRefund({ paymentId });
    for (const [response, code] of [
      [await refund(id, stranger), "REFUND_NOT_FOUND"],
      [await cancel(id, stranger), "REFUND_NOT_FOUND"],
      [await decide(id, "approve", stranger), "refund_not_found"],
      [await decide(id, "reject", stranger), "refund_not_found"],
      [await refund("rfd_000000000000000000000000"), "REFUND_NOT_FOUND"],
      [await refund("initiate"), "REFUND_NOT_FOUND"],
    ] as const) {
      expect([response.status, response.body]).toMatchObject([404, { code }]);
    }
    expect(body(await refund(id)).status).toBe("pending");
    await cancel(id);
  });

  test("does not let an agent approve, nor another site in the owner's name", async () => {
    const { paymentId } = await sellOnce();
    const id = await requestRefund({ paymentId });
    const path = `/api/refunds/${id}/approve`;
    expect((await call("POST", path, { bearer: seller.agent.jwt })).status).toBe(401);
    expect((await call("POST", path)).status).toBe(401);
    const { session } = seller.owner;
    for (const verb of ["approve", "reject"]) {
      const headers = { origin: "https://evil.example" };
      expect((await call("POST", `/api/refunds/${id}/${verb}`, { session, headers })).status).toBe(403);
      const cookie = `next-auth.session-token=${session}`;
      expect((await call("POST", `/api/refunds/${id}/${verb}`, { headers: { cookie } })).status).toBe(403);
    }
    expect(body(await refund(id)).status).toBe("pending");
    await cancel(id);
  });
});

describe("approving several refunds with one call", () => {
  const together = (refundIds: unknown, { owner }: Parties = seller) =>
    call("POST", "/api/refunds/approve", { session: owner.session, json: { refundIds } });
  const resultsOf = (response: Answer) =>
    body(response).results.map(({ refund, error }: Json) => error?.code ?? refund.status);

  test("returns an outcome for each: a rejected one, or one of another owner, does not affect the rest", async () => {
    const sales = [await sellOnce(), await sellOnce(), await sellOnce()];
    const ids = await Promise.all(sales.map(({ paymentId }) => requestRefund({ paymentId })));
    const [first = "", rejected = "", third = ""] = ids;
    await decide(rejected, "reject");
    const response = await together([first, rejected, "rfd_none", third]);
    const [a, b, c, d] = resultsOf(response);
    expect([response.status, b, c]).toEqual([200, "refund_cancelled", "refund_not_found"]);
    for (const status of [a, d]) expect(["pending", "settled"]).toContain(status);
    for (const id of [first, third])
      await until(async () => body(await refund(id)).status === "settled", "the refund to be paid");
    expect(resultsOf(await together([first]))).toEqual(["refund_settled"]);
    expect(resultsOf(await together([first], stranger))).toEqual(["refund_not_found"]);
    expect(body(await refund(rejected)).status).toBe("cancelled");
  });

  test("never refunds more than was paid", async () => {
    const { paymentId } = await sellOnce();
    const ids = [
      await requestRefund({ paymentId, amount: "200000" }),
      await requestRefund({ paymentId, amount: "50000" }),
    ];
    const response = await together(ids);
    expect(resultsOf(response).every((status: string) => ["pending", "settled"].includes(status))).toBe(true);
    expect(body(await initiate({ paymentId })).code).toBe("REFUND_EXCEEDS_PAYMENT");
    for (const id of ids) await until(async () => body(await refund(id)).status === "settled", "the refund to be paid");
  });

  test.each([[undefined], [[]], [["a", "a"]], [Array(21).fill("a")]])("with %j is refused", async (refundIds) => {
    const response = await together(refundIds);
    expect([response.status, body(response).code]).toEqual([400, "invalid_request"]);
  });
});
