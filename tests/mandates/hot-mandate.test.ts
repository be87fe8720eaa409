import { afterAll, beforeAll, expect, test } from "vitest";
import { WRITES_PER_WALLET } from "@/lib/payments/sign";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { type Json, linkedPair, owned, type Parties, pay, signedMandate, v3 } from "../support/mandates";
import { until } from "../support/replica";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let pair: Parties;

beforeAll(async () => {
  world = await createWorld();
  wiring = await import("../support/wiring");
  testSystem = openSystem();
  pair = await linkedPair();
});
afterAll(async () => {
  await wiring.closeSystem();
  await testSystem.close();
  await world.stop();
});

const codes = (responses: { status: number; body: unknown }[]) => {
  const tally: Record<string, number> = {};
  for (const { status, body } of responses) {
    const key = `${status} ${(body as Json).code ?? "ok"}`;
    tally[key] = (tally[key] ?? 0) + 1;
  }
  return tally;
};
const mandateOf = async (id: string): Promise<Json> =>
  ((await call("GET", `/api/mandates/agent/${id}`, { bearer: pair.agent.jwt })).body as Json).mandate;
const hold = async () => expect(await violations(testSystem.system, ["base"])).toEqual([]);

test("200 simultaneous payments from a mandate that covers 50 give exactly 50 proofs, each with its own nonce", async () => {
  const { mandateId } = await signedMandate({ limitAmount: "500000" }, pair);
  const responses = await Promise.all(Array.from({ length: 200 }, () => pay(pair.agent, mandateId)));
  expect(codes(responses)).toEqual({ "200 ok": 50, "403 mandate_insufficient_budget": 150 });
  const nonces = responses
    .filter((a) => a.status === 200)
    .map((a) => (a.body as Json).xPayment.payload.authorization.nonce);
  expect(new Set(nonces).size).toBe(50);
  expect(await mandateOf(mandateId)).toMatchObject({
    pendingSpentAmount: "500000",
    remainingAmount: "0",
    status: "exhausted",
  });
  await hold();
});

test("simultaneous payments of different sizes never exceed the limit, and leave less than the smallest rejected one", async () => {
  const { mandateId } = await signedMandate({ limitAmount: "100000" }, pair);
  const amounts = Array.from({ length: 100 }, (_, i) => 1_000 + ((i * 7_919) % 9_000));
  const responses = await Promise.all(amounts.map((amount) => pay(pair.agent, mandateId, { amount: String(amount) })));
  const signed = amounts.filter((_, i) => responses[i]?.status === 200).reduce((sum, amount) => sum + amount, 0);
  const { pendingSpentAmount } = await mandateOf(mandateId);
  expect(pendingSpentAmount).toBe(String(signed));
  expect(signed).toBeLessThanOrEqual(100_000);
  const smallest = Math.min(...amounts.filter((_, i) => responses[i]?.status === 403));
  expect(100_000 - signed).toBeLessThan(smallest);
  await hold();
});

test("no payment is signed after the response to a pause", async () => {
  const { mandateId } = await signedMandate({ limitAmount: "10000000" }, pair);
  const early = Array.from({ length: 40 }, () => pay(pair.agent, mandateId, { amount: "1" }));
  await owned(pair.owner, mandateId, "enabled", { isEnabled: false });
  const late = Array.from({ length: 20 }, () => pay(pair.agent, mandateId, { amount: "1" }));
  expect(codes(await Promise.all(late))).toEqual({ "403 mandate_disabled": 20 });
  const codesBefore = codes(await Promise.all(early));
  expect((codesBefore["200 ok"] ?? 0) + (codesBefore["403 mandate_disabled"] ?? 0)).toBe(40);
  expect(await mandateOf(mandateId)).toMatchObject({ pendingSpentAmount: String(codesBefore["200 ok"] ?? 0) });
  await hold();
});

test("pausing and resuming under load loses no unit of the budget, and each rejection has its current reason", async () => {
  const { mandateId } = await signedMandate({ limitAmount: "10000000" }, pair);
  const traffic = Promise.all(Array.from({ length: 120 }, () => pay(pair.agent, mandateId, { amount: "1" })));
  for (let i = 0; i < 10; i++) await owned(pair.owner, mandateId, "enabled", { isEnabled: i % 2 === 1 });
  const tally = codes(await traffic);
  const known = ["200 ok", "403 mandate_disabled", "409 mandate_changed"];
  expect(Object.keys(tally).filter((code) => !known.includes(code))).toEqual([]);
  expect(await mandateOf(mandateId)).toMatchObject({ pendingSpentAmount: String(tally["200 ok"] ?? 0) });
  await hold();
});

test("no payment is signed after the response to a revocation", async () => {
  const { mandateId } = await signedMandate({}, pair);
  const racing = Array.from({ length: 30 }, () => pay(pair.agent, mandateId, { amount: "1" }));
  await owned(pair.owner, mandateId, "revoke");
  const { pendingSpentAmount } = await mandateOf(mandateId);
  const tally = codes(await Promise.all(racing));
  expect((await mandateOf(mandateId)).pendingSpentAmount).toBe(pendingSpentAmount);
  expect(String(tally["200 ok"] ?? 0)).toBe(pendingSpentAmount);
  await hold();
});

test("payments that wait for a locked mandate leave connections to the database to other owners", async () => {
  const { mandateId } = await signedMandate({ limitAmount: "10000000" }, pair);
  const other = await linkedPair();
  const { mandateId: othersId } = await signedMandate({}, other);
  const countWaiting = async () => {
    const [row] = await testSystem.sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "payments"%'`;
    return Number(row?.count);
  };
  let payments: ReturnType<typeof pay>[] = [];
  await testSystem.sql.begin(async (tx) => {
    await tx`select id from mandates where id = ${mandateId} for update`;
    payments = Array.from({ length: 60 }, () => pay(pair.agent, mandateId, { amount: "1" }));
    await until(async () => (await countWaiting()) >= WRITES_PER_WALLET, "payments that wait for the mandate");
    expect((await pay(other.agent, othersId)).status).toBe(200);
    expect(await countWaiting()).toBe(WRITES_PER_WALLET);
  });
  const tally = codes(await Promise.all(payments));
  // On a slow machine some have waited as long as they may.
  expect((tally["200 ok"] ?? 0) + (tally["503 unavailable"] ?? 0)).toBe(60);
  expect(await mandateOf(mandateId)).toMatchObject({ pendingSpentAmount: String(tally["200 ok"] ?? 0) });
  await hold();
});

test("a payment that waited too long for others of its wallet is refused, and the same key signs it later, once", async () => {
  const { mandateId } = await signedMandate({ limitAmount: "10000000" }, pair);
  const send = (key: string) =>
    call("POST", "/api/payment/x402V3Payment", {
      bearer: pair.agent.jwt,
      json: v3(mandateId, { amount: "1" }),
      headers: { "idempotency-key": key },
    });
  const keys = Array.from({ length: WRITES_PER_WALLET + 1 }, () => crypto.randomUUID());
  let responses: { key: string; response: ReturnType<typeof send> }[] = [];
  const refused = await testSystem.sql.begin(async (tx) => {
    await tx`select id from mandates where id = ${mandateId} for update`;
    responses = keys.map((key) => ({ key, response: send(key) }));
    // All others wait in the database until this transaction ends.
    return Promise.race(responses.map(async ({ key, response }) => ({ key, ...(await response) })));
  });
  expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
  for (const { key, response } of responses) expect((await response).status).toBe(key === refused.key ? 503 : 200);
  const [again, replayed] = [await send(refused.key), await send(refused.key)];
  expect([again.status, replayed.status]).toEqual([200, 200]);
  expect(replayed.body).toEqual(again.body);
  expect(await mandateOf(mandateId)).toMatchObject({ pendingSpentAmount: String(keys.length) });
  await hold();
});
