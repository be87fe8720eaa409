import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { type LinkId, newId, type SettlementId } from "@/lib/core/ids";
import { endDeadCalls } from "@/lib/links/passes/service";
import { endCall, takeCall } from "@/lib/links/passes/store";
import { subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { body } from "../support/payouts";
import { mineReverting } from "../support/reverting-transfers";
import { claimFrom, cranks, openSystem, paying } from "../support/system";
import { openUpstream, type UpstreamServer } from "../support/upstream";
import { createWorld, type World } from "../support/world";

const PRICE = 1_000n;
const PASS_PRICE = 100_000n;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let crank: Awaited<ReturnType<typeof cranks>>;
let seller: Parties;
let upstream: UpstreamServer;
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
  upstream = await openUpstream((req, res) => void req.resume().once("end", () => res.end("ok")));
  url = upstream.url;
});

afterEach(async () => {
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

afterAll(async () => {
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

test("a refund that is only requested stops no call, and cannot be approved for calls that were taken since", async () => {
  const pass = await buys();
  expect((await uses(pass)).status).toBe(200);
  const first = body(await initiate(pass.paymentId));
  expect(first).toMatchObject({ amount: "90000" });
  expect((await uses(pass)).status).toBe(200);
  expect(await stateOf(pass)).toMatchObject({ status: "usable", callsLeft: 8 });
  const refused = await approve(first.refundId);
  expect([refused.status, refused.body]).toMatchObject([400, { code: "refund_exceeds_payment", refundable: "80000" }]);
  expect((await uses(pass)).status).toBe(200);
  expect((await cancel(first.refundId)).status).toBe(200);
  const second = body(await initiate(pass.paymentId));
  expect(second).toMatchObject({ amount: "70000" });
  expect((await approve(second.refundId)).status).toBe(200);
  expect((await uses(pass)).body).toMatchObject({ code: "PASS_HELD" });
  expect(await stateOf(pass)).toMatchObject({ status: "held", callsLeft: 7 });
  await crank.drain();
  expect((await uses(pass)).body).toMatchObject({ code: "PASS_REFUNDED" });
  expect(await stateOf(pass)).toMatchObject({ status: "refunded" });
  expect((await initiate(pass.paymentId)).body).toMatchObject({ code: "REFUND_EXCEEDS_PAYMENT", refundable: "0" });
});

test("calls that were taken cannot be refunded", async () => {
  const pass = await buys();
  for (let turn = 0; turn < 3; turn += 1) await uses(pass);
  const tooMuch = await initiate(pass.paymentId, 70_001n);
  expect([tooMuch.status, tooMuch.body]).toMatchObject([400, { code: "REFUND_EXCEEDS_PAYMENT", refundable: "70000" }]);
  expect((await uses(pass)).status).toBe(200);
});

test("an approval and many calls at once: what is refunded was not served", async () => {
  const { system } = testSystem;
  for (let round = 0; round < 5; round += 1) {
    const pass = await buys();
    const refund = body(await initiate(pass.paymentId));
    const keys = Array.from({ length: 12 }, () => ({ ...pass, callId: newId("passCall"), units: 1n }));
    const [approval, ...taken] = await Promise.all([
      approve(refund.refundId),
      ...keys.map(async (key, index) => {
        // So that the approval comes before them, or somewhere between them.
        await setTimeout((index + 1) * 20 * round);
        if ((await takeCall(system.db, key, system.now())) === null) return 0;
        expect(await endCall(system.db, { ...key, used: 1n }, system.now())).toBe(true);
        return 1;
      }),
    ]);
    const served = taken.reduce<number>((sum, count) => sum + count, 0);
    if (approval.status === 200) {
      expect(served).toBe(0);
      expect((await uses(pass)).body).toMatchObject({ code: "PASS_HELD" });
    } else {
      // A call under way counts for both bounds.
      const code = expect.stringMatching(/^refund_(exceeds_payment|below_unused)$/);
      expect([approval.body, served]).toMatchObject([{ code }, 10]);
    }
    await crank.drain();
  }
});

test("a call that waited for the pass while a refund was approved is refused", async () => {
  const pass = await buys();
  const { system, sql } = testSystem;
  let commit = () => {};
  const committing = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let approving = Promise.resolve<unknown>(null);
  // Otherwise the call could come first.
  await new Promise<void>((resolve) => {
    approving = sql.begin(async (tx) => {
      await tx`update passes set refund_transfers = ${[newId("settlement")]} where settlement_id = ${pass.settlementId}`;
      resolve();
      await committing;
    });
  });
  const taking = takeCall(system.db, { ...pass, callId: newId("passCall"), units: 1n }, system.now());
  await expect
    .poll(() => sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%units_taken%'`, {
      timeout: 30_000,
    })
    .toHaveLength(1);
  commit();
  await approving;
  expect(await taking).toBeNull();
  await sql`update passes set refund_transfers = '{}' where settlement_id = ${pass.settlementId}`;
});

test("calls at once take what is left in their order, and a smaller one does not fail with a larger one before it", async () => {
  const { system, sql } = testSystem;
  const pass = await buys();
  const call = (units: bigint) => ({ ...pass, callId: newId("passCall"), units });
  const calls = [call(3n), call(8n), call(2n)] as const;
  const taken = await Promise.all(calls.map((key) => takeCall(system.db, key, system.now())));
  expect(taken).toMatchObject([{ units: 3n, unitsLeft: 7n }, null, { units: 2n, unitsLeft: 5n }]);
  const [alive, refused, dead] = calls;
  await sql`update pass_calls set busy_until = now() - interval '1 second' where call_id = ${dead.callId}`;
  await endDeadCalls(system, 100);
  const ended = await Promise.all(
    [alive, refused, dead].map((key) => endCall(system.db, { ...key, used: key.units }, system.now())),
  );
  // The refused one is more than is left; what came back from the dead one is taken again.
  expect(ended).toEqual([true, false, true]);
  expect(await stateOf(pass)).toMatchObject({ callsLeft: 5, callsUnderWay: 0 });
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
