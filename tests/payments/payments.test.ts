import { type Hex, parseSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { WalletId } from "@/lib/core/ids";
import { listForOwner } from "@/lib/payments/service";
import { ledger, subscribers } from "@/lib/subscribers";
import { tokenDomain } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { TOKEN_ABI } from "@/lib/x402/token";
import { violations } from "@/ops/invariants";
import { newAgent, type TestAgent } from "../support/actors";
import { call } from "../support/http";
import { type Json, linkedPair, owned, type Parties, pay, proposed, signedMandate } from "../support/mandates";
import { cranks, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let crank: Awaited<ReturnType<typeof cranks>>;
let wiring: typeof import("../support/wiring");
let pair: Parties;

beforeAll(async () => {
  world = await createWorld();
  Object.assign(process.env, { SETTLE_WAIT_SECONDS: "0", LOG_LEVEL: "silent" });
  wiring = await import("../support/wiring");
  testSystem = openSystem({ subscribers });
  crank = await cranks(testSystem.system);
  await crank.observe();
  pair = await linkedPair();
});
afterAll(async () => {
  await wiring.closeSystem();
  await testSystem.close();
  await world.stop();
});

const list = async (agent: TestAgent, query = "") => {
  const { status, body } = await call("GET", `/api/payments${query}`, { bearer: agent.jwt });
  return { status, body: body as Json };
};
const read = async (id: string): Promise<Json> =>
  ((await call("GET", `/api/payments/${id}`, { bearer: pair.agent.jwt })).body as Json).payment;
const budgetOf = async (id: string) => {
  const { body } = await call("GET", `/api/mandates/agent/${id}`, { bearer: pair.agent.jwt });
  const { spentAmount, pendingSpentAmount } = (body as Json).mandate;
  return { spent: spentAmount, pending: pendingSpentAmount };
};
const signed = async (mandateId: string, change: object = {}): Promise<Json> => {
  const { status, body } = await pay(pair.agent, mandateId, change);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const fund = async (response: Json) => world.mint(response.xPayment.payload.authorization.from, 1_000_000n);

/** A third party settles the proof, as a payee with its own facilitator does. */
async function settleElsewhere({ xPayment }: Json): Promise<Hex> {
  const { authorization: a, signature } = xPayment.payload;
  const { r, s, v } = parseSignature(signature);
  const hash = await world.client().writeContract({
    account: world.accounts[3]?.address ?? null,
    chain: null,
    address: NETWORKS.base.usdc,
    abi: TOKEN_ABI,
    functionName: "transferWithAuthorization",
    args: [a.from, a.to, BigInt(a.value), BigInt(a.validAfter), BigInt(a.validBefore), a.nonce, Number(v), r, s],
  });
  await world.client().waitForTransactionReceipt({ hash });
  return hash;
}

/** One round of the observer up to the newest block. */
async function release() {
  await crank.observe();
  await ledger.releaseExpired(testSystem.system, "base", await testSystem.system.chains.base.head());
}
const eventsOf = async (id: string) =>
  (await testSystem.sql`select type from events where subject = ${id} order by created_at, id`).map(
    (event): string => event.type,
  );
const hold = async () => expect(await violations(testSystem.system, ["base"])).toEqual([]);

describe("GET /api/payments", () => {
  test("pages through the agent's own payments, newest first, each once", async () => {
    const agent = pair.agent;
    const { mandateId } = await signedMandate({}, pair);
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push((await signed(mandateId, { amount: "1" })).paymentRecordId);
    const seen: string[] = [];
    let cursor = "";
    do {
      const { status, body } = await list(agent, `?limit=3${cursor}`);
      expect(status).toBe(200);
      expect(body.payments.length).toBeLessThanOrEqual(3);
      seen.push(...body.payments.map((p: Json) => p.paymentRecordId));
      cursor = body.nextCursor ? `&cursor=${encodeURIComponent(body.nextCursor)}` : "";
    } while (cursor);
    expect(seen).toEqual(ids.reverse());
    expect((await list(agent)).body).toMatchObject({ status: "ok", nextCursor: null });
  });

  test.each([
    "?limit=0",
    "?limit=101",
    "?limit=-1",
    "?limit=1.5",
    "?limit=x",
    "?limit=",
    "?limit=1&limit=2",
    "?cursor=",
    "?cursor=x",
    "?cursor=MTIz",
    `?cursor=${Buffer.from("1.pay_'; drop").toString("base64url")}`,
  ])("rejects %s", async (query) => {
    expect(await list(pair.agent, query)).toMatchObject({
      status: 400,
      body: { status: "error", code: "invalid_request" },
    });
  });

  test("returns an empty list for an agent without payments", async () => {
    expect((await list(await newAgent())).body).toEqual({ status: "ok", payments: [], nextCursor: null });
  });

  test("another agent's payment is 404, as if it did not exist", async () => {
    const { mandateId } = await signedMandate({}, pair);
    const { paymentRecordId } = await signed(mandateId);
    const stranger = await newAgent();
    for (const id of [paymentRecordId, "pay_000000000000000000000000", "1"]) {
      const res = await call("GET", `/api/payments/${id}`, { bearer: stranger.jwt });
      expect(res).toMatchObject({ status: 404, body: { status: "error", code: "payment_not_found" } });
    }
    expect((await call("GET", `/api/payments/${paymentRecordId}`)).status).toBe(401);
  });
});

describe("a payment's transfer on the chain", () => {
  test("by a third party turns the reservation into spent money, once, with hash and block time", async () => {
    const { mandateId } = await signedMandate({}, pair);
    const response = await signed(mandateId);
    await fund(response);
    const txHash = await settleElsewhere(response);
    await crank.observe();
    const { blockNumber } = await world.client().getTransactionReceipt({ hash: txHash });
    const { timestamp } = await world.client().getBlock({ blockNumber });
    const settledAt = new Date(Number(timestamp) * 1000).toISOString();
    expect(await read(response.paymentRecordId)).toMatchObject({ status: "settled", txHash, settledAt });
    expect(await budgetOf(mandateId)).toEqual({ spent: "10000", pending: "0" });
    expect(await eventsOf(response.paymentRecordId)).toEqual(["payment.settled"]);
    await crank.observe();
    await release();
    expect(await budgetOf(mandateId)).toEqual({ spent: "10000", pending: "0" });
    await hold();
  });

  test("to a UPL of this service makes the payment submitted, then settled", async () => {
    const payee = await linkedPair();
    const { mandateId } = await signedMandate({}, pair);
    const path = `/unifypaymentlink/agentid/${payee.agent.agentId}?amount=10000&asset=usdc`;
    const requirement = (await call("GET", path)).body as Json;
    const { payTo, resource, maxAmountRequired } = requirement.accepts[0];
    const response = await signed(mandateId, { payTo, resource, amount: maxAmountRequired });
    await fund(response);
    const takenResponse = await call("GET", path, { headers: { "x-payment": response.xPaymentB64 } });
    expect(takenResponse.status).toBe(202);
    expect(await read(response.paymentRecordId)).toMatchObject({ status: "submitted" });
    await crank.drain();
    expect(await read(response.paymentRecordId)).toMatchObject({
      status: "settled",
      txHash: expect.stringMatching(/^0x/),
    });
    expect(await budgetOf(mandateId)).toEqual({ spent: "10000", pending: "0" });
    await hold();
  });

  test("of several mandates in one batch of blocks is applied to each mandate", async () => {
    const mandate = await Promise.all([1, 2, 3].map(() => signedMandate({}, pair)));
    const responses: Json[] = [];
    for (const { mandateId } of mandate)
      for (const amount of ["100", "20", "3"]) responses.push(await signed(mandateId, { amount }));
    await fund(responses[0]);
    for (const response of responses.filter((_, i) => i % 3 !== 1)) await settleElsewhere(response);
    await crank.observe();
    for (const { mandateId } of mandate) expect(await budgetOf(mandateId)).toEqual({ spent: "103", pending: "20" });
    await hold();
  });

  test("that its payer cancels releases the reservation", async () => {
    const { mandateId } = await signedMandate({}, pair);
    const response = await signed(mandateId);
    await cancel(response);
    await crank.observe();
    expect(await read(response.paymentRecordId)).toMatchObject({ status: "cancelled", settledAt: null });
    expect(await budgetOf(mandateId)).toEqual({ spent: "0", pending: "0" });
    await hold();
  });

  test("that a reorganisation reverses is settled again by the next block", async () => {
    const { mandateId } = await signedMandate({}, pair);
    const response = await signed(mandateId);
    await fund(response);
    await world.mine(2);
    await crank.observe();
    await settleElsewhere(response);
    await crank.observe();
    expect(await budgetOf(mandateId)).toEqual({ spent: "10000", pending: "0" });
    await world.reorg(1);
    await crank.observe();
    expect(await read(response.paymentRecordId)).toMatchObject({ status: "submitted", txHash: null, settledAt: null });
    expect(await budgetOf(mandateId)).toEqual({ spent: "0", pending: "10000" });
    await settleElsewhere(response);
    await crank.observe();
    expect(await read(response.paymentRecordId)).toMatchObject({ status: "settled" });
    expect(await budgetOf(mandateId)).toEqual({ spent: "10000", pending: "0" });
    expect(await eventsOf(response.paymentRecordId)).toEqual([
      "payment.settled",
      "payment.reopened",
      "payment.settled",
    ]);
    await hold();
  });
});

async function cancel({ xPayment }: Json) {
  const { from, nonce } = xPayment.payload.authorization;
  const [row] = await testSystem.sql`select id, sealed_key from wallets where address = ${from}`;
  const key = testSystem.system.vault.open(row?.sealed_key, row?.id as WalletId) as Hex;
  const signature = await privateKeyToAccount(key).signTypedData({
    domain: tokenDomain("base"),
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: toAddress(from), nonce },
  });
  const hash = await world.client().writeContract({
    account: world.accounts[3]?.address ?? null,
    chain: null,
    address: NETWORKS.base.usdc,
    abi: [
      {
        type: "function",
        name: "cancelAuthorization",
        stateMutability: "nonpayable",
        inputs: [
          { name: "a", type: "address" },
          { name: "n", type: "bytes32" },
          { name: "s", type: "bytes" },
        ],
        outputs: [],
      },
    ] as const,
    functionName: "cancelAuthorization",
    args: [toAddress(from), nonce, signature],
  });
  await world.client().waitForTransactionReceipt({ hash });
}

describe("an unused proof", () => {
  test("is released by the first block whose time reaches validBefore, not earlier, and never by the wall clock", async () => {
    const { mandateId } = await signedMandate({}, pair);
    const response = await signed(mandateId, { validityWindowSeconds: 600 });
    const validBefore = response.expiresAt * 1000;
    await world.setNextBlockTimestamp(new Date(validBefore - 1000));
    await world.mine();
    await release();
    expect(await read(response.paymentRecordId)).toMatchObject({ status: "signed" });
    expect(await budgetOf(mandateId)).toEqual({ spent: "0", pending: "10000" });
    await world.setNextBlockTimestamp(new Date(validBefore));
    await world.mine();
    await release();
    expect(await read(response.paymentRecordId)).toMatchObject({ status: "expired", txHash: null, settledAt: null });
    expect(await budgetOf(mandateId)).toEqual({ spent: "0", pending: "0" });
    await release();
    await hold();
  });

  test("that has expired by the wall clock stays reserved while the chain stands still", async () => {
    const { mandateId } = await signedMandate({}, pair);
    const response = await signed(mandateId);
    const head = await testSystem.system.chains.base.head();
    // This process's clock is a day ahead; only the block's time counts.
    const tomorrow = { ...testSystem.system, now: () => new Date(Date.now() + 86_400_000) };
    await ledger.releaseExpired(tomorrow, "base", {
      ...head,
      time: new Date((response.expiresAt - 1) * 1000),
    });
    expect(await budgetOf(mandateId)).toEqual({ spent: "0", pending: "10000" });
  });

  test("that was used in time is not released, however far behind the observer is", async () => {
    const { mandateId } = await signedMandate({}, pair);
    const chainNow = Math.floor((await world.chainTime()).getTime() / 1000);
    const ahead = Math.max(0, chainNow - Math.floor(Date.now() / 1000));
    const response = await signed(mandateId, { validityWindowSeconds: Math.min(3600, ahead + 300) });
    await fund(response);
    await settleElsewhere(response);
    await world.increaseTime(3_600);
    // Called too early, before the observer has read the transfer.
    await ledger.releaseExpired(testSystem.system, "base", await testSystem.system.chains.base.head());
    expect(await budgetOf(mandateId)).toEqual({ spent: "0", pending: "10000" });
    await crank.observe();
    expect(await budgetOf(mandateId)).toEqual({ spent: "10000", pending: "0" });
    await hold();
  });

  test("that can be used again after a reorganisation is reserved again, if the budget allows it", async () => {
    const roomy = await signedMandate({}, pair);
    const tight = await signedMandate({ limitAmount: "10000" }, pair);
    const monthly = await signedMandate({ maxAmountPerMonth: "10000", validForSeconds: 86_400 * 60 }, pair);
    const [kept, lost] = [await signed(roomy.mandateId), await signed(tight.mandateId)];
    const ofMonth = await signed(monthly.mandateId);
    expect((await pay(pair.agent, monthly.mandateId)).status).toBe(403);
    await world.increaseTime(60);
    await release();
    await world.mine(1, 3_600);
    await release();
    expect([(await read(kept.paymentRecordId)).status, (await read(lost.paymentRecordId)).status]).toEqual([
      "expired",
      "expired",
    ]);
    const [row] = await testSystem.sql`select block_number from reservations r
      join payments p on p.reservation_id = r.id where p.id = ${kept.paymentRecordId}`;
    // Another payment has used the remaining budget meanwhile.
    await signed(tight.mandateId);
    await signed(monthly.mandateId);
    const { unwound } = ledger.subscriber;
    await testSystem.system.db.transaction(async (tx) => unwound?.(tx, "base", BigInt(row?.block_number), new Date()));
    expect(await read(kept.paymentRecordId)).toMatchObject({ status: "signed" });
    expect(await read(lost.paymentRecordId)).toMatchObject({ status: "expired" });
    expect(await budgetOf(roomy.mandateId)).toEqual({ spent: "0", pending: "10000" });
    expect(await budgetOf(tight.mandateId)).toEqual({ spent: "0", pending: "10000" });
    expect(await read(ofMonth.paymentRecordId)).toMatchObject({ status: "expired" });
    expect(await budgetOf(monthly.mandateId)).toEqual({ spent: "0", pending: "10000" });
    for (const { mandateId } of [tight, monthly])
      expect(await eventsOf(mandateId)).toContain("mandate.budget_exceeded");
    await release();
    await hold();
  });
});

describe("GET /api/agent/self/status", () => {
  const status = (agent: TestAgent, query = "") => call("GET", `/api/agent/self/status${query}`, { bearer: agent.jwt });

  test("returns a linked agent's wallet, balance, mandates and latest payments, with formatted amounts", async () => {
    const parties = await linkedPair();
    const { mandateId, agent } = await signedMandate({}, parties);
    await proposed(agent);
    for (let i = 0; i < 3; i++) expect((await pay(agent, mandateId, { amount: "2500" })).status).toBe(200);
    const { body: first } = await pay(agent, mandateId);
    const walletAddress = (first as Json).xPayment.payload.authorization.from;
    await world.mint(walletAddress, 12_345_678n);
    const { status: code, body } = await status(agent, "?txLimit=2");
    expect(code).toBe(200);
    expect(body).toMatchObject({
      status: "ok",
      network: "base",
      agent: {
        id: agent.agentId,
        externalAgentId: agent.agentId,
        name: "Test agent",
        isAuthorized: true,
        authorizationExpiry: null,
        walletAddress,
      },
      balances: { usdc: { available: "12345678", availableFormatted: "12.345678" } },
      mandates: { open: 2, total: 3, itemsTruncated: false },
      recentTransactions: { limit: 2, hasMore: true },
    });
    const { recentTransactions, mandates } = body as Json;
    expect(recentTransactions.items.map((p: Json) => [p.amount, p.amountFormatted])).toEqual([
      ["10000", "0.01"],
      ["2500", "0.0025"],
    ]);
    expect(mandates.items.map((m: Json) => m.status)).toEqual(["signed", "pending_signature", "rejected"]);
  });

  test("says for an agent without an owner that there is no wallet yet", async () => {
    const agent = await newAgent("Lonely");
    expect((await status(agent)).body).toMatchObject({
      status: "ok",
      agent: { name: "Lonely", isAuthorized: false, walletAddress: null },
      balances: { usdc: { available: "0", availableFormatted: "0.00" } },
      mandates: { open: 0, total: 0, items: [] },
      recentTransactions: { items: [], limit: 20, hasMore: false },
    });
  });

  test.each([
    ["", "base", 20],
    ["?network=base&txLimit=1", "base", 1],
    ["?network=eip155:8453&txLimit=100", "base", 100],
  ])("with %j returns %s and up to %i payments", async (query, network, limit) => {
    expect(await status(pair.agent, query)).toMatchObject({
      status: 200,
      body: { network, recentTransactions: { limit } },
    });
  });

  test("says that there are more payments only if there are", async () => {
    const { agent, mandateId } = await signedMandate();
    const latest = async (query: string) => ((await status(agent, query)).body as Json).recentTransactions;
    const [{ paymentRecordId: first }, { paymentRecordId: second }] = [
      (await pay(agent, mandateId)).body as Json,
      (await pay(agent, mandateId)).body as Json,
    ];
    expect(await latest("?txLimit=1")).toMatchObject({ items: [{ paymentRecordId: second }], hasMore: true });
    expect(await latest("?txLimit=2")).toMatchObject({
      items: [{ paymentRecordId: second }, { paymentRecordId: first }],
      hasMore: false,
    });
  });

  test.each([
    ...["polygon", "", "eip155:1", "BASE"].map((network) => `?network=${network}`),
    ...["0", "101", "ten", "", "-1", "1.5", "01", "1e1", "+1", "1000000000000000000000"].map((n) => `?txLimit=${n}`),
    "?txLimit=1&txLimit=2",
    "?network=base&network=base",
  ])("refuses %s", async (query) => {
    expect(await status(pair.agent, query)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  test("requires a login before it reads the query", async () => {
    const res = await call("GET", "/api/agent/self/status?txLimit=0");
    expect(res).toMatchObject({ status: 401, body: { status: "error", code: "missing_bearer" } });
  });

  test("is 503 while the chain does not respond", async () => {
    const { faults, heal } = world.node("base-sepolia");
    faults.isRefusing = true;
    const res = await status(pair.agent, "?network=base-sepolia");
    heal();
    expect(res).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });
});

test("an owner sees only payments of their own mandates", async () => {
  const { owner, agent, mandateId } = await signedMandate();
  const { body } = await pay(agent, mandateId);
  await owned(owner, mandateId, "revoke");
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  const [other] = await testSystem.sql`select id from owners where address = ${pair.owner.address}`;
  const as = (ownerId: string) => ({
    ...wiring.system(),
    requestId: "test",
    actor: { type: "owner" as const, ownerId: ownerId as never, address: owner.address },
  });
  const page = { limit: 10, cursor: undefined, mandateId: mandateId as never };
  const mine = await listForOwner(as(row?.id), page);
  expect(mine.rows.map((p) => p.id)).toEqual([(body as Json).paymentRecordId]);
  expect((await listForOwner(as(row?.id), { ...page, mandateId: undefined })).rows).toHaveLength(1);
  expect((await listForOwner(as(other?.id), page)).rows).toEqual([]);
});
