import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { type LinkId, newId, type SettlementId } from "@/lib/core/ids";
import { endCall, takeCall } from "@/lib/links/passes/store";
import { subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { body } from "../support/payouts";
import { mineReverting } from "../support/reverting-transfers";
import { claimFrom, cranks, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const PRICE = 1_000n;
const PASS_PRICE = 100_000n;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let crank: Awaited<ReturnType<typeof cranks>>;
let seller: Parties;
let upstream: Server;
let url: string;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  Object.assign(process.env, { LOG_LEVEL: "silent", SETTLE_WAIT_SECONDS: "0", CONFIRMATIONS: "2" });
  wiring = await import("../support/wiring");
  testSystem = openSystem({ subscribers }, { CONFIRMATIONS: "1" });
  crank = await cranks(testSystem.system);
  await crank.observe();
  seller = await linkedPair();
  await world.mint(toAddress(payer().address), 20n * PASS_PRICE);
  upstream = createServer((req, res) => void req.resume().once("end", () => res.end("ok")));
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  url = `http://localhost:${(upstream.address() as AddressInfo).port}`;
});

afterEach(async () => {
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

afterAll(async () => {
  upstream?.closeAllConnections();
  upstream?.close();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const payer = () => {
  const [first] = world.accounts;
  if (!first) throw new Error("no accounts");
  return first;
};

type Bought = { linkId: LinkId; settlementId: SettlementId; token: string; paymentId: number; payTo: string };

const asSeller = async (method: string, path: string, json?: object) =>
  call(method, path, { bearer: seller.agent.jwt, ...(json && { json }) });

/** A link that sells a pass of ten calls, and the claim of a proof for it. */
async function offers() {
  const fields = { amount: `${PRICE}`, upstream: { url, pass: { calls: 10, amount: `${PASS_PRICE}` } } };
  const { linkId, payTo, upstream: sold } = body(await asSeller("POST", "/api/payment-links", fields)).paymentLink;
  return { linkId, payTo, path: sold.pass.url.replace(BASE_URL, ""), claim: claimFrom(payer(), payTo, PASS_PRICE) };
}

/** A pass whose payment is at the depth of CONFIRMATIONS. */
async function buys(): Promise<Bought> {
  const { linkId, payTo, path, claim } = await offers();
  const { settlementId, token } = body(await call("GET", path, { headers: paying(claim) }));
  await crank.drain();
  await world.mine(1);
  await crank.observe();
  const [{ paymentId }] = body(await asSeller("GET", `/api/payment-links/${linkId}/passes`)).passes;
  return { linkId, settlementId, token, paymentId, payTo };
}

const uses = async ({ linkId, token }: Bought) => call("GET", `/paid/${linkId}/x`, { bearer: token });
const stateOf = async ({ linkId, token }: Bought): Promise<Json> =>
  body(await call("GET", `/pass/${linkId}`, { bearer: token })).pass;
const initiate = (paymentId: number, amount?: bigint) =>
  asSeller("POST", "/api/payment-links/refunds/initiate", { paymentId, ...(amount && { amount: `${amount}` }) });
const cancel = (id: string) => asSeller("POST", `/api/payment-links/refunds/${id}/cancel`);
const approve = (id: string) => call("POST", `/api/refunds/${id}/approve`, { session: seller.owner.session });

test("the token comes with the 202, opens nothing before the payment settles, and is the one that the same proof brings later", async () => {
  const { linkId, path, claim } = await offers();
  const pending = await call("GET", path, { headers: paying(claim) });
  expect([pending.status, body(pending)]).toMatchObject([202, { token: expect.stringMatching(/^pass_/) }]);
  const { token } = body(pending);
  const early = await call("GET", `/paid/${linkId}/x`, { bearer: token });
  expect([early.status, early.body]).toMatchObject([402, { code: "PASS_INVALID" }]);
  const again = await call("GET", path, { headers: paying(claim) });
  expect([again.status, body(again).token]).toEqual([202, token]);
  await crank.drain();
  const settled = await call("GET", path, { headers: paying(claim) });
  expect([settled.status, body(settled)]).toMatchObject([200, { pass: { token, callsLeft: 10 } }]);
  expect((await call("GET", `/paid/${linkId}/x`, { bearer: token })).status).toBe(200);
});

test("no call is admitted while a refund waits, and a refund that is cancelled or expires gives the pass back", async () => {
  const pass = await buys();
  expect((await uses(pass)).status).toBe(200);
  const first: string = body(await initiate(pass.paymentId)).refundId;
  // A call that comes back leaves room for a second one.
  await testSystem.sql`update passes set calls_taken = 0 where settlement_id = ${pass.settlementId}`;
  const second: string = body(await initiate(pass.paymentId)).refundId;
  await testSystem.sql`update passes set calls_taken = 1 where settlement_id = ${pass.settlementId}`;
  expect((await uses(pass)).body).toMatchObject({ code: "PASS_HELD" });
  expect(await stateOf(pass)).toMatchObject({ status: "held", callsLeft: 9 });
  expect((await cancel(second)).status).toBe(200);
  expect((await uses(pass)).body).toMatchObject({ code: "PASS_HELD" });
  expect((await cancel(first)).status).toBe(200);
  expect((await uses(pass)).status).toBe(200);
  const third: string = body(await initiate(pass.paymentId)).refundId;
  const { sql } = testSystem;
  await sql`update refunds set expires_at = now() - interval '30 seconds' where refund_id = ${third}`;
  expect((await approve(third)).body).toMatchObject({ code: "refund_expired" });
  // A server whose clock is behind could approve it still.
  const [hold] = await sql`
    select p.held_until = r.created_at + interval '24 hours 1 minute' as is_longer from passes p, refunds r
    where p.settlement_id = ${pass.settlementId} and r.refund_id = ${third}`;
  expect(hold).toEqual({ is_longer: true });
  await sql`update passes set held_until = now() - interval '1 second' where settlement_id = ${pass.settlementId}`;
  expect((await uses(pass)).status).toBe(200);
  expect(await stateOf(pass)).toMatchObject({ status: "usable", callsLeft: 7 });
});

test("calls that were taken cannot be refunded, and the default is what is left of them", async () => {
  const pass = await buys();
  for (let turn = 0; turn < 3; turn += 1) await uses(pass);
  const tooMuch = await initiate(pass.paymentId, 70_001n);
  expect([tooMuch.status, tooMuch.body]).toMatchObject([400, { code: "REFUND_EXCEEDS_PAYMENT", refundable: "70000" }]);
  expect((await uses(pass)).status).toBe(200);
  const refund = body(await initiate(pass.paymentId));
  expect(refund).toMatchObject({ amount: "60000" });
  expect((await approve(refund.refundId)).status).toBe(200);
  expect((await uses(pass)).body).toMatchObject({ code: "PASS_HELD" });
  await crank.drain();
  expect((await uses(pass)).body).toMatchObject({ code: "PASS_REFUNDED" });
  expect(await stateOf(pass)).toMatchObject({ status: "refunded" });
  expect((await initiate(pass.paymentId)).body).toMatchObject({ code: "REFUND_EXCEEDS_PAYMENT", refundable: "0" });
});

test("a refund and many calls at once: what is refunded was not served", async () => {
  const { system } = testSystem;
  for (let round = 0; round < 5; round += 1) {
    const pass = await buys();
    const keys = Array.from({ length: 12 }, () => ({ ...pass, callId: newId("passCall") }));
    const [refund, ...taken] = await Promise.all([
      initiate(pass.paymentId),
      ...keys.map(async (key) => {
        if ((await takeCall(system.db, key, system.now())) === null) return 0n;
        expect(await endCall(system.db, key, system.now())).toBe(true);
        return 1n;
      }),
    ]);
    const served = taken.reduce<bigint>((sum, count) => sum + count, 0n);
    if (refund.status === 201) {
      expect(BigInt(body(refund).amount)).toBe(PASS_PRICE - served * (PASS_PRICE / 10n));
      expect((await uses(pass)).body).toMatchObject({ code: "PASS_HELD" });
    } else expect([refund.body, served]).toMatchObject([{ code: "REFUND_EXCEEDS_PAYMENT" }, 10n]);
  }
});

test("a call that waited for the pass while a refund was requested is refused", async () => {
  const pass = await buys();
  const { system, sql } = testSystem;
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const holding = sql.begin(async (tx) => {
    await tx`update passes set held_until = now() + interval '1 day' where settlement_id = ${pass.settlementId}`;
    await held;
  });
  const taking = takeCall(system.db, { ...pass, callId: newId("passCall") }, system.now());
  await expect
    .poll(() => sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%calls_taken%'`)
    .not.toEqual([]);
  commit();
  await holding;
  expect(await taking).toBeNull();
});

test("a refund in a replaced block still ends its pass, and the pass comes back only when that refund can never be paid", async () => {
  const pass = await buys();
  const { refundId } = body(await initiate(pass.paymentId));
  expect((await approve(refundId)).status).toBe(200);
  const { submit } = await mineReverting({ world, crank, sql: testSystem.sql }, toAddress(pass.payTo));
  await world.mint(toAddress(pass.payTo), PASS_PRICE);
  await crank.observe();
  await submit();
  await crank.observe();
  expect(await stateOf(pass)).toMatchObject({ status: "refunded" });
  await crank.relay();
  await world.reorg(1);
  await crank.observe();
  expect(await stateOf(pass)).toMatchObject({ status: "held" });
  expect((await uses(pass)).body).toMatchObject({ code: "PASS_HELD" });
  // The chain shows that its authorization has expired.
  await world.increaseTime(4_000);
  await crank.drain();
  expect(body(await asSeller("GET", `/api/payment-links/refunds/${refundId}`))).toMatchObject({ status: "failed" });
  expect(await stateOf(pass)).toMatchObject({ status: "usable", callsLeft: 10 });
  expect((await uses(pass)).status).toBe(200);
});
