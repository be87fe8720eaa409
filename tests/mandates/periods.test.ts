import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import {
  freshAddress,
  type Json,
  linkedPair,
  owned,
  type Parties,
  pay,
  proposed,
  signatureOver,
  signedMandate,
} from "../support/mandates";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const DAY_MS = 86_400_000;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let pair: Parties;

beforeAll(async () => {
  world = await createWorld();
  wiring = await import("../support/wiring");
  testSystem = openSystem();
  const untilMidnight = DAY_MS - (Date.now() % DAY_MS);
  if (untilMidnight < 600_000) await wiring.control({ do: "clock", aheadMs: 1_200_000 });
  pair = await linkedPair();
});
afterAll(async () => {
  await wiring.closeSystem();
  await testSystem.close();
  await world.stop();
});

const body = ({ body }: { body: unknown }): Json => body;
const outcome = (response: { status: number; body: unknown }) => [response.status, body(response).code ?? "ok"];
const mandateOf = async (id: string): Promise<Json> =>
  body(await call("GET", `/api/mandates/agent/${id}`, { bearer: pair.agent.jwt })).mandate;
const hold = async () => expect(await violations(testSystem.system, ["base"])).toEqual([]);
const patch = (mandateId: string, json: object) =>
  call("PATCH", `/api/mandates/${mandateId}`, { session: pair.owner.session, json });

test("a mandate's daily budget rejects with the start of the next day, and simultaneous payments never exceed it", async () => {
  const { mandateId, mandate } = await signedMandate({ validForSeconds: 86_400 * 60, maxAmountPerDay: "100000" }, pair);
  expect(mandate).toMatchObject({ maxAmountPerDay: "100000", maxAmountPerMonth: null, thisMonth: null });
  expect(mandate.today).toMatchObject({ usedAmount: "0", remainingAmount: "100000" });
  const responses = await Promise.all(Array.from({ length: 30 }, () => pay(pair.agent, mandateId)));
  const codes = responses.map((response) => outcome(response)[1]).sort();
  expect(codes).toEqual([...Array(20).fill("mandate_period_budget_used"), ...Array(10).fill("ok")]);
  const lateResponse = await pay(pair.agent, mandateId);
  expect(outcome(lateResponse)).toEqual([403, "mandate_period_budget_used"]);
  const { period, remainingAmount, availableAt, retryAfterSeconds, retry } = body(lateResponse);
  expect([period, remainingAmount, retry]).toEqual(["day", "0", "wait"]);
  expect(availableAt).toMatch(/T00:00:00\.000Z$/);
  expect(retryAfterSeconds).toBeGreaterThan(0);
  const shown = await mandateOf(mandateId);
  expect(shown).toMatchObject({ status: "signed", today: { usedAmount: "100000", resetsAt: availableAt } });
  expect(shown).toMatchObject({ remainingAmount: "900000", pendingSpentAmount: "100000" });
  const eligible = await call("GET", "/api/mandates/eligible?host=api.example.com&amount=10000", {
    bearer: pair.agent.jwt,
  });
  expect(body(eligible)).toMatchObject({ eligibleMandates: [], uncovered: { code: "mandate_period_budget_used" } });
  await hold();
});

test("a mandate's monthly budget counts payouts too, and a payment above a whole daily budget is rejected as over the cap, not as one to retry later", async () => {
  const terms = { validForSeconds: 86_400 * 60, maxAmountPerDay: "60000", maxAmountPerMonth: "70000" };
  const { mandateId } = await signedMandate(terms, pair);
  const wallet = body(await call("GET", "/api/agent/self/status", { bearer: pair.agent.jwt })).agent.walletAddress;
  await world.mint(wallet, 1_000_000n);
  const tooLarge = await pay(pair.agent, mandateId, { amount: "60001" });
  expect(outcome(tooLarge)).toEqual([403, "mandate_payment_cap_exceeded"]);
  expect(body(tooLarge).maxAmountPerPayment).toBe("60000");
  expect(body(tooLarge).message).toContain("a day");
  const payout = (amount: string) =>
    call("POST", "/api/payouts", { bearer: pair.agent.jwt, json: { toAddress: freshAddress(), amount, mandateId } });
  expect((await payout("40000")).status).toBe(201);
  expect(await mandateOf(mandateId)).toMatchObject({
    today: { usedAmount: "40000" },
    thisMonth: { remainingAmount: "30000" },
  });
  expect(outcome(await payout("20001"))).toEqual([403, "mandate_period_budget_used"]);
  expect((await pay(pair.agent, mandateId, { amount: "20000" })).status).toBe(200);
  expect(outcome(await payout("1"))).toEqual([403, "mandate_period_budget_used"]);
  await hold();
});

test("an owner adds and lowers daily and monthly budgets before signing, and the signed data contains them", async () => {
  const { mandateId, token } = await proposed(pair.agent, { maxAmountPerPayment: "500000" });
  await owned(pair.owner, mandateId, "claim", { token });
  const typed = async () =>
    body(await call("GET", `/api/mandates/${mandateId}/typed-data`, { session: pair.owner.session }));
  expect((await typed()).domain.version).toBe("1");
  expect(outcome(await patch(mandateId, { maxAmountPerMonth: "1000001" }))).toEqual([422, "cap_exceeds_limit"]);
  const narrowed = await patch(mandateId, { maxAmountPerDay: "300000", maxAmountPerMonth: "900000" });
  expect(body(narrowed).mandate).toMatchObject({
    maxAmountPerDay: "300000",
    maxAmountPerMonth: "900000",
    maxAmountPerPayment: "300000",
  });
  expect(await typed()).toMatchObject({
    domain: { version: "4" },
    message: { maxAmountPerDay: "300000", maxAmountPerMonth: "900000", confirmPayees: false },
  });
  const signature = await signatureOver(mandateId, pair.owner);
  const signed = await owned(pair.owner, mandateId, "signature", { signature });
  expect(signed).toMatchObject({ status: "signed", maxAmountPerDay: "300000" });
});

test.each([
  [{ maxAmountPerDay: "1000001" }, 422, "cap_exceeds_limit"],
  [{ maxAmountPerMonth: "5", maxAmountPerDay: "6" }, 422, "cap_exceeds_limit"],
  [{ maxAmountPerDay: "5", maxAmountPerPayment: "6" }, 422, "cap_exceeds_limit"],
  [{ maxAmountPerDay: "0" }, 400, "invalid_request"],
  [{ maxAmountPerMonth: 5 }, 400, "invalid_request"],
])("a proposed mandate with %o is refused", async (terms, status, code) => {
  const json = { intent: { naturalLanguage: "Data", limitAmount: "1000000", validForSeconds: 3600, ...terms } };
  const response = await call("POST", "/api/mandates/create-intent", { bearer: pair.agent.jwt, json });
  expect(outcome(response)).toEqual([status, code]);
});

test("a new day and month begin at midnight UTC, and a clock that runs behind does not bring the old one back", async () => {
  // Still valid in the month after next, so that its end does not count as the reason.
  const terms = { validForSeconds: 86_400 * 100, maxAmountPerDay: "20000", maxAmountPerMonth: "20000" };
  const { agent, mandateId } = await signedMandate(terms, pair);
  // The server's clock may be 20 minutes ahead.
  const today = new Date(Date.now() + 1_200_000);
  const midnight = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1);
  const setClock = (ms: number) => wiring.control({ do: "clock", atMs: ms });
  await setClock(midnight - 60_000);
  const login = await call("POST", "/refresh", { json: { agent_id: agent.agentId, token: agent.token } });
  const spend = (amount: string) => pay({ ...agent, jwt: body(login).jwt }, mandateId, { amount });
  expect((await spend("20000")).status).toBe(200);
  expect(body(await spend("1"))).toMatchObject({
    code: "mandate_period_budget_used",
    period: "month",
    availableAt: new Date(midnight).toISOString(),
    retryAfterSeconds: 60,
  });
  await setClock(midnight);
  expect((await spend("15000")).status).toBe(200);
  await setClock(midnight - 1_000);
  expect(outcome(await spend("5001"))).toEqual([403, "mandate_period_budget_used"]);
  expect((await spend("5000")).status).toBe(200);
  const rows = await testSystem.sql`select charged_on::text as day, amount::int as amount from reservations
    where mandate_id = ${mandateId} order by id`;
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  expect(rows.map(({ day, amount }) => [day, amount])).toEqual([
    [dayOf(midnight - 1), 20_000],
    [dayOf(midnight), 15_000],
    [dayOf(midnight), 5_000],
  ]);
  await hold();
});
