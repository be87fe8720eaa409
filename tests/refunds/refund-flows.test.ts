import type { HDAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { body } from "../support/payouts";
import { empty, mineReverting, revertPublicly } from "../support/reverting-transfers";
import { claimFrom, cranks, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 250_000n;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let crank: Awaited<ReturnType<typeof cranks>>;
let seller: Parties;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  Object.assign(process.env, { LOG_LEVEL: "silent", SETTLE_WAIT_SECONDS: "0", CONFIRMATIONS: "2" });
  wiring = await import("../support/wiring");
  testSystem = openSystem({ subscribers }, { CONFIRMATIONS: "1" });
  crank = await cranks(testSystem.system);
  await crank.observe();
  seller = await linkedPair();
  await world.mint(toAddress(payer().address), 10n * AMOUNT);
});

afterEach(async () => {
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

afterAll(async () => {
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const payer = (): HDAccount => {
  const [first] = world.accounts;
  if (!first) throw new Error("no accounts");
  return first;
};

/** A settled payment of a link, at the depth of CONFIRMATIONS. */
async function sellConfirmed() {
  const sale = await justSold();
  await world.mine(1);
  await crank.observe();
  return sale;
}

/** A payment of a link in the newest block. */
async function justSold(): Promise<{ paymentId: number; wallet: Address }> {
  const { jwt: bearer } = seller.agent;
  const created = await call("POST", "/api/payment-links", { bearer, json: { amount: AMOUNT.toString() } });
  const { linkId, payTo } = body(created).paymentLink;
  const paidResponse = await call("GET", `/paymentlink/${linkId}`, {
    headers: paying(claimFrom(payer(), payTo, AMOUNT)),
  });
  expect(paidResponse.status).toBe(202);
  await crank.drain();
  const [{ id }] = body(await call("GET", `/api/payment-links/${linkId}/payments`, { bearer })).payments;
  return { paymentId: id, wallet: toAddress(payTo) };
}

const initiate = (paymentId: number) =>
  call("POST", "/api/payment-links/refunds/initiate", { bearer: seller.agent.jwt, json: { paymentId } });
const approve = (id: string) => call("POST", `/api/refunds/${id}/approve`, { session: seller.owner.session });
const read = async (id: string): Promise<Json> =>
  body(await call("GET", `/api/payment-links/refunds/${id}`, { bearer: seller.agent.jwt }));
const failures = (id: string) =>
  testSystem.sql`select meta from events where subject = ${id} and type = 'refund.failed'`;
const heldByPayer = () => world.balanceOf(toAddress(payer().address));

/** A refund whose transfer reverted publicly. */
async function revertedInPublic() {
  const { paymentId, wallet } = await sellConfirmed();
  const id: string = body(await initiate(paymentId)).refundId;
  expect(body(await approve(id)).refund).toMatchObject({ status: "pending", isApproved: true });
  const submit = await revertPublicly({ world, crank, sql: testSystem.sql }, { wallet, subject: id });
  return { paymentId, id, submit };
}

/** The refund is declined: the service has stopped, and anybody can still submit it. */
const DECLINED = {
  status: "pending",
  isApproved: true,
  refundTxHash: null,
  failureCode: "INSUFFICIENT_FUNDS",
  stillValidUntil: expect.stringMatching(/^2.*Z$/),
};

test("a refund that anybody can still submit has not failed, keeps its amount reserved, and pays once if somebody submits it", async () => {
  const { paymentId, id, submit } = await revertedInPublic();
  const heldByPayerBefore = await heldByPayer();
  expect(await read(id)).toMatchObject(DECLINED);
  expect(await failures(id)).toEqual([]);
  const repeatedResponse = await initiate(paymentId);
  expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([400, { code: "REFUND_EXCEEDS_PAYMENT" }]);
  const twice = await approve(id);
  expect([twice.status, twice.body]).toMatchObject([409, { code: "refund_approved" }]);
  await submit();
  await crank.observe();
  expect(await read(id)).toMatchObject({ status: "settled", refundTxHash: expect.stringMatching(/^0x/) });
  expect(await heldByPayer()).toBe(heldByPayerBefore + AMOUNT);
  expect((await initiate(paymentId)).status).toBe(400);
});

test("a refund cannot be approved while the block of its payment may still be replaced", async () => {
  const { paymentId } = await justSold();
  const heldByPayerBefore = await heldByPayer();
  const id: string = body(await initiate(paymentId)).refundId;
  const earlyResponse = await approve(id);
  expect([earlyResponse.status, earlyResponse.body]).toMatchObject([409, { code: "payment_not_final" }]);
  expect(await read(id)).toMatchObject({ status: "pending", isApproved: false });
  await world.mine(1);
  await crank.observe();
  expect((await approve(id)).status).toBe(200);
  await crank.drain();
  expect((await read(id)).status).toBe("settled");
  expect(await heldByPayer()).toBe(heldByPayerBefore + AMOUNT);
});

test("a refund that a stranger submitted in a replaced block can still be submitted by anybody", async () => {
  const { paymentId, wallet } = await sellConfirmed();
  const heldByPayerBefore = await heldByPayer();
  const id: string = body(await initiate(paymentId)).refundId;
  expect((await approve(id)).status).toBe(200);
  const { held, submit } = await mineReverting({ world, crank, sql: testSystem.sql }, wallet);
  await world.mint(wallet, held);
  await crank.observe();
  await submit();
  await crank.observe();
  expect((await read(id)).status).toBe("settled");
  // Only now has the service read that its own transaction, mined before, moved nothing.
  await crank.relay();
  await world.reorg(1);
  await crank.observe();
  const taken = await empty(world, wallet);
  await crank.drain();
  expect(await read(id)).toMatchObject(DECLINED);
  expect(await failures(id)).toEqual([]);
  expect((await initiate(paymentId)).body).toMatchObject({ code: "REFUND_EXCEEDS_PAYMENT" });
  await world.mint(wallet, taken);
  await submit();
  await crank.observe();
  expect((await read(id)).status).toBe("settled");
  expect(await heldByPayer()).toBe(heldByPayerBefore + AMOUNT);
});

test("a refund requested before another one reverted is not approved in addition to that one", async () => {
  const { paymentId, wallet } = await sellConfirmed();
  const first: string = body(await initiate(paymentId)).refundId;
  await testSystem.sql`update refunds set expires_at = now() - interval '1 second' where refund_id = ${first}`;
  const second: string = body(await initiate(paymentId)).refundId;
  // Simulates that the first refund expired during its approval.
  await testSystem.sql`update refunds set expires_at = now() + interval '1 hour' where refund_id = ${first}`;
  expect((await approve(first)).status).toBe(200);
  const submit = await revertPublicly({ world, crank, sql: testSystem.sql }, { wallet, subject: first });
  // The wallet's own money is not what refuses it.
  await world.mint(wallet, AMOUNT);
  const another = await approve(second);
  expect([another.status, another.body]).toMatchObject([400, { code: "refund_exceeds_payment" }]);
  await submit();
  await crank.observe();
  expect((await read(first)).status).toBe("settled");
  expect((await approve(second)).body).toMatchObject({ code: "refund_exceeds_payment" });
});

test("a refund that only a node has seen keeps its amount reserved, because a node can submit what it simulates", async () => {
  const { paymentId, wallet } = await sellConfirmed();
  const id: string = body(await initiate(paymentId)).refundId;
  expect((await approve(id)).status).toBe(200);
  const balance = await empty(world, wallet);
  await crank.drain();
  expect(await read(id)).toMatchObject(DECLINED);
  expect(await failures(id)).toEqual([]);
  await world.mint(wallet, balance);
  expect((await initiate(paymentId)).body).toMatchObject({ code: "REFUND_EXCEEDS_PAYMENT" });
});

// Last, because the chain's clock is ahead of the wall clock afterwards.
test("a refund fails once the chain's time shows that it can never be paid, and can then be requested again", async () => {
  const { paymentId, id, submit } = await revertedInPublic();
  const heldByPayerBefore = await heldByPayer();
  await crank.observe();
  expect(await read(id)).toMatchObject(DECLINED);
  await world.increaseTime(700);
  await crank.observe();
  expect(await read(id)).toMatchObject({
    status: "failed",
    failureCode: "INSUFFICIENT_FUNDS",
    stillValidUntil: null,
    refundTxHash: null,
  });
  await crank.observe();
  expect(await failures(id)).toMatchObject([{ meta: { amount: AMOUNT.toString(), network: "base" } }]);
  expect((await approve(id)).body).toMatchObject({ code: "refund_failed" });
  expect((await initiate(paymentId)).status).toBe(201);
  await expect(submit()).rejects.toThrow("expired");
  expect(await heldByPayer()).toBe(heldByPayerBefore);
});
