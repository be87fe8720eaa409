import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { type Json, linkedPair, type Parties, pay, signedMandate } from "../support/mandates";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const CAPS = "/api/wallet/spending-caps";
const HOUR_MS = 3_600_000;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");

beforeAll(async () => {
  world = await createWorld();
  wiring = await import("../support/wiring");
  testSystem = openSystem();
});
afterAll(async () => {
  await wiring.closeSystem();
  await testSystem.close();
  await world.stop();
});

const body = ({ body }: { body: unknown }): Json => body;
const outcome = (response: { status: number; body: unknown }) => [response.status, body(response).code ?? "ok"];
const hold = async () => expect(await violations(testSystem.system, ["base"])).toEqual([]);
const setCap = (parties: Parties, json: object) => call("POST", CAPS, { session: parties.owner.session, json });
const capsOf = async ({ owner }: Parties): Promise<Json> =>
  body(await call("GET", CAPS, { session: owner.session })).caps;

const tallied = (responses: { status: number; body: unknown }[]) => {
  const tally: Record<string, number> = {};
  for (const response of responses) {
    const key = outcome(response).join(" ");
    tally[key] = (tally[key] ?? 0) + 1;
  }
  return tally;
};

test("a cap on everything holds over all mandates of all agents of the owner, and says when it is available again", async () => {
  const pair = await linkedPair();
  const [first, second] = [await signedMandate({}, pair), await signedMandate({}, pair)];
  const set = await setCap(pair, { maxAmountPer24Hours: "100000" });
  expect(body(set).cap).toMatchObject({
    network: "base",
    agentId: null,
    last24Hours: { cap: "100000", usedAmount: "0" },
  });
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => pay(pair.agent, (index % 2 ? first : second).mandateId)),
  );
  expect(tallied(responses)).toEqual({ "200 ok": 10, "403 owner_limit_reached": 30 });
  const refused = body(await pay(pair.agent, first.mandateId));
  expect(refused).toMatchObject({ limitOf: "owner", window: "24_hours", maxAmount: "100000", remainingAmount: "0" });
  expect(refused).toMatchObject({ retry: "wait", canAsk: false });
  const waitMs = new Date(refused.availableAt).getTime() - Date.now();
  expect(waitMs).toBeGreaterThan(24 * HOUR_MS);
  expect(waitMs).toBeLessThanOrEqual(25.1 * HOUR_MS);
  const own = body(await call("GET", "/api/agent/self/status", { bearer: pair.agent.jwt })).spendingCaps;
  expect(own).toEqual(await capsOf(pair));
  expect(own[0].last24Hours).toEqual({ cap: "100000", usedAmount: "100000", remainingAmount: "0" });
  await hold();
});

test("caps set while a hundred payments are signed count each of them, whichever was first", async () => {
  const pair = await linkedPair();
  const mandates = await Promise.all(Array.from({ length: 5 }, () => signedMandate({}, pair)));
  const payAll = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => pay(pair.agent, mandates[index % 5]?.mandateId ?? "")));
  const early = payAll(50);
  const set = setCap(pair, { maxAmountPer24Hours: "300000" });
  const agents = setCap(pair, { agentId: pair.agent.agentId, maxAmountPer30Days: "200000" });
  const late = payAll(50);
  expect([(await set).status, (await agents).status]).toEqual([200, 200]);
  const tally = tallied([...(await early), ...(await late)]);
  const known = ["200 ok", "403 owner_limit_reached", "409 mandate_changed"];
  expect(Object.keys(tally).filter((key) => !known.includes(key))).toEqual([]);
  const used = String((tally["200 ok"] ?? 0) * 10_000);
  expect(await capsOf(pair)).toMatchObject([
    { last24Hours: { usedAmount: used } },
    { last30Days: { usedAmount: used } },
  ]);
  expect(await setCap(pair, { maxAmountPer24Hours: "1" })).toMatchObject({ status: 200 });
  expect(outcome(await pay(pair.agent, mandates[0]?.mandateId ?? "", { amount: "1" }))).toEqual([
    403,
    "owner_limit_reached",
  ]);
  await hold();
});
