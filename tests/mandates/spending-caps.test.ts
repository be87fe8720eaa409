import { sql, TransactionRollbackError } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { use } from "@/lib/approvals/store";
import type { AgentId, MandateId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { charging } from "@/lib/mandates/reservations/service";
import { findForAgent } from "@/lib/mandates/store";
import { ledger } from "@/lib/subscribers";
import { walletById } from "@/lib/wallets/service";
import { NETWORKS } from "@/lib/x402/networks";
import { violations } from "@/ops/invariants";
import { newAgent } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import {
  freshAddress,
  type Json,
  linkedPair,
  owned,
  type Parties,
  pay,
  proposed,
  RESOURCE,
  signatureOver,
  signedMandate,
  v3,
} from "../support/mandates";
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
  const offer = {
    scheme: "exact",
    network: NETWORKS.base.caip2,
    amount: "10000",
    asset: NETWORKS.base.usdc,
    payTo: freshAddress(),
    maxTimeoutSeconds: 60,
    extra: { name: NETWORKS.base.tokenName, version: NETWORKS.base.tokenVersion },
  };
  const paymentRequest = { x402Version: 2, resource: { url: RESOURCE }, accepts: [offer] };
  const json = { mandateId: first.mandateId, paymentRequest };
  const v2 = await call("POST", "/api/v2/payment/x402-payment", { bearer: pair.agent.jwt, json });
  expect(outcome(v2)).toEqual([403, "owner_limit_reached"]);
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

test.each([
  [{ maxAmountPer24Hours: "-1" }, 400, "invalid_request"],
  [{ maxAmountPer24Hours: 5 }, 400, "invalid_request"],
  [{ maxAmountPer30Days: String(2n ** 96n) }, 400, "invalid_request"],
  [{ maxAmountPer24Hours: "5", waitingMax: 21 }, 400, "invalid_request"],
  [{ maxAmountPer24Hours: "5", waitingMax: -1 }, 400, "invalid_request"],
  [{ maxAmountPer24Hours: "5", network: "ethereum" }, 400, "invalid_request"],
  [{ maxAmountPer24Hours: "5", agentId: "00000000-0000-4000-8000-000000000000" }, 404, "agent_not_found"],
])("a cap %o is refused", async (json, status, code) => {
  const pair = await linkedPair();
  expect(outcome(await setCap(pair, json))).toEqual([status, code]);
  expect(await capsOf(pair)).toEqual([]);
});

test("a cap on an agent of somebody else is refused", async () => {
  const [pair, other] = [await linkedPair(), await linkedPair()];
  expect(outcome(await setCap(pair, { agentId: other.agent.agentId, maxAmountPer24Hours: "1" }))).toEqual([
    404,
    "agent_not_found",
  ]);
});

test("a cap of zero lets nothing through, and no waiting helps", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { maxAmountPer24Hours: "0" });
  const refused = await pay(pair.agent, mandateId, { amount: "1" });
  expect(outcome(refused)).toEqual([403, "owner_limit_reached"]);
  expect(body(refused)).toMatchObject({ availableAt: null, retry: "ask_user" });
});

test("raising or removing a cap, and letting more payments wait, needs the owner's signature; the rest does not", async () => {
  const pair = await linkedPair();
  const cap = { maxAmountPer24Hours: "100", maxAmountPer30Days: "500", waitingMax: 2 };
  expect((await setCap(pair, cap)).status).toBe(200);
  for (const wider of [
    { ...cap, maxAmountPer24Hours: "101" },
    { ...cap, maxAmountPer30Days: null },
    { ...cap, waitingMax: 3 },
    {},
  ]) {
    const response = await setCap(pair, wider);
    expect(outcome(response)).toEqual([403, "signature_required"]);
    expect(body(response).typedData.primaryType).toBe("SpendingCap");
  }
  expect(await capsOf(pair)).toMatchObject([
    { last24Hours: { cap: "100" }, last30Days: { cap: "500" }, waitingMax: 2 },
  ]);
  expect((await setCap(pair, { ...cap, maxAmountPer24Hours: "50", waitingMax: 1 })).status).toBe(200);
  expect((await confirmedCall(pair.owner, CAPS, { maxAmountPer24Hours: "1000" })).status).toBe(200);
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { cap: "1000" }, last30Days: null, waitingMax: 0 }]);
  expect((await confirmedCall(pair.owner, CAPS, {})).status).toBe(200);
  expect(await capsOf(pair)).toEqual([]);
});

test("a cap counts what was spent before it, is per network, and lowered below what is pending it harms nothing under way", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  const abroad = await signedMandate({ network: "base-sepolia" }, pair);
  expect((await pay(pair.agent, mandateId, { amount: "30000" })).status).toBe(200);
  const set = await setCap(pair, { maxAmountPer24Hours: "40000" });
  expect(body(set).cap.last24Hours).toEqual({ cap: "40000", usedAmount: "30000", remainingAmount: "10000" });
  expect((await pay(pair.agent, mandateId, { amount: "10000" })).status).toBe(200);
  expect(body(await setCap(pair, { maxAmountPer24Hours: "20000" })).cap.last24Hours).toEqual({
    cap: "20000",
    usedAmount: "40000",
    remainingAmount: "0",
  });
  expect(outcome(await pay(pair.agent, mandateId, { amount: "1" }))).toEqual([403, "owner_limit_reached"]);
  const shown = body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: pair.agent.jwt })).mandate;
  expect(shown.pendingSpentAmount).toBe("40000");
  expect((await pay(pair.agent, abroad.mandateId, { network: "base-sepolia" })).status).toBe(200);
  await hold();
});

test("a cap on one agent limits that agent only", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  const second = { owner: pair.owner, agent: await newAgent() };
  const draft = await proposed(second.agent);
  await owned(pair.owner, draft.mandateId, "claim", { token: draft.token });
  await owned(pair.owner, draft.mandateId, "signature", {
    signature: await signatureOver(draft.mandateId, pair.owner),
  });
  await setCap(pair, { agentId: pair.agent.agentId, maxAmountPer30Days: "15000" });
  expect((await pay(pair.agent, mandateId)).status).toBe(200);
  const refused = await pay(pair.agent, mandateId);
  expect(body(refused)).toMatchObject({ code: "owner_limit_reached", limitOf: "agent", window: "30_days" });
  expect((await pay(second.agent, draft.mandateId)).status).toBe(200);
  const status = body(await call("GET", "/api/agent/self/status", { bearer: second.agent.jwt }));
  expect(status.spendingCaps).toEqual([]);
  await hold();
});

const single = (agent: Parties["agent"], json: object = {}) =>
  call("POST", "/api/payment/x402V1Payment", {
    bearer: agent.jwt,
    json: { amount: "30000", payTo: freshAddress(), resource: RESOURCE, ...json },
  });

test("a payment that a person would approve is refused above a cap, unless the owner lets payments wait; then it may exceed the cap and counts", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { maxAmountPer24Hours: "20000" });
  expect(outcome(await single(pair.agent))).toEqual([403, "owner_limit_reached"]);
  expect((await single(pair.agent, { amount: "5000" })).status).toBe(202);
  await confirmedCall(pair.owner, CAPS, { maxAmountPer24Hours: "20000", waitingMax: 3 });
  expect(outcome(await pay(pair.agent, mandateId, { amount: "30000" }))).toEqual([202, "approval_required"]);
  const json = { payTo: freshAddress() };
  const waiting = await single(pair.agent, json);
  expect([waiting.status, (await single(pair.agent)).status]).toEqual([202, 202]);
  const fourth = await single(pair.agent);
  expect(outcome(fourth)).toEqual([403, "owner_limit_reached"]);
  expect(body(fourth)).toMatchObject({ waitingMax: 3 });
  // Those within the limit take none of the three places.
  expect((await single(pair.agent, { amount: "5000" })).status).toBe(202);
  const { approvalId } = body(waiting);
  expect((await confirmedCall(pair.owner, `/api/approvals/${approvalId}/approve`, {})).status).toBe(200);
  const both = await Promise.all([1, 2].map(() => single(pair.agent, { ...json, approvalId })));
  expect(tallied(both)).toEqual({ "200 ok": 1, "409 approval_used": 1 });
  expect(await capsOf(pair)).toMatchObject([
    { last24Hours: { cap: "20000", usedAmount: "30000", remainingAmount: "0" } },
  ]);
  expect(outcome(await pay(pair.agent, mandateId, { amount: "1" }))).toEqual([202, "approval_required"]);
  await hold();
});

const decide = (owner: Parties["owner"], approvalId: string, verb: "approve" | "deny") =>
  confirmedCall(owner, `/api/approvals/${approvalId}/${verb}`, {});

test("a payment under a mandate above a cap waits for the owner, once however often it is sent, and is then paid without the mandate", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { maxAmountPer24Hours: "20000", waitingMax: 2 });
  const send = (headers: Record<string, string> = {}, change: object = {}) =>
    call("POST", "/api/payment/x402V3Payment", {
      bearer: pair.agent.jwt,
      json: v3(mandateId, { amount: "30000", ...change }),
      headers,
    });
  const key = { "idempotency-key": "the-same-purchase" };
  const first = await send(key);
  expect(outcome(first)).toEqual([202, "approval_required"]);
  const { approvalId, summary, expiresAt } = body(first);
  expect(summary).toMatchObject({ kind: "payment", amount: "30000", host: "api.example.com", mandate: null });
  expect(expiresAt - Date.now() / 1000).toBeGreaterThan(590);
  expect(expiresAt - Date.now() / 1000).toBeLessThanOrEqual(600);
  const again = await Promise.all([send(key), send(), ...Array.from({ length: 6 }, () => send())]);
  expect(new Set(again.map((response) => body(response).approvalId))).toEqual(new Set([approvalId]));
  const others = await Promise.all(Array.from({ length: 8 }, () => send({}, { amount: "40000" })));
  expect(new Set(others.map((response) => body(response).approvalId)).size).toBe(1);
  expect(outcome(await send({}, { amount: "50000" }))).toEqual([403, "owner_limit_reached"]);
  expect((await decide(pair.owner, approvalId, "approve")).status).toBe(200);
  const paid = await send(key);
  expect(outcome(paid)).toEqual([200, "ok"]);
  expect(body(paid).xPayment.payload.authorization.value).toBe("30000");
  const { paymentRecordId } = body(paid);
  expect(body(await send(key)).paymentRecordId).toBe(paymentRecordId);
  const record = body(await call("GET", `/api/payments/${paymentRecordId}`, { bearer: pair.agent.jwt })).payment;
  expect(record).toMatchObject({ mandateId: null, amount: "30000" });
  const mandate = body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: pair.agent.jwt })).mandate;
  expect(mandate.pendingSpentAmount).toBe("0");
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { usedAmount: "30000", remainingAmount: "0" } }]);
  const next = body(await send());
  expect(next).toMatchObject({ code: "approval_required" });
  expect(next.approvalId).not.toBe(approvalId);
  const { approvalId: otherId } = body(others[0] ?? { body: {} });
  expect((await decide(pair.owner, otherId, "deny")).status).toBe(200);
  const denied = await send({}, { amount: "40000" });
  expect(outcome(denied)).toEqual([403, "owner_limit_reached"]);
  expect(body(denied)).toMatchObject({ canAsk: false, availableAt: null, retry: "ask_user" });
  await hold();
});

test("what a person approved is paid by their approval, also if it fits the cap again", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { maxAmountPer24Hours: "20000", waitingMax: 2 });
  const send = () => pay(pair.agent, mandateId, { amount: "30000" });
  const { approvalId } = body(await send());
  expect((await decide(pair.owner, approvalId, "approve")).status).toBe(200);
  const raised = { maxAmountPer24Hours: "100000", waitingMax: 2 };
  expect((await confirmedCall(pair.owner, CAPS, raised)).status).toBe(200);
  expect([outcome(await send()), outcome(await send())]).toEqual([
    [200, "ok"],
    [200, "ok"],
  ]);
  const { payTo, resource } = v3(mandateId);
  expect(outcome(await single(pair.agent, { payTo, resource, approvalId }))).toEqual([409, "approval_used"]);
  const mandate = body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: pair.agent.jwt })).mandate;
  expect(mandate.pendingSpentAmount).toBe("30000");
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { usedAmount: "60000" } }]);
  await hold();
});

test("identical requests that fit again ask nobody: one is paid by the approval, the others under the mandate or not at all", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { maxAmountPer24Hours: "20000", waitingMax: 2 });
  const send = () => pay(pair.agent, mandateId, { amount: "30000" });
  expect((await decide(pair.owner, body(await send()).approvalId, "approve")).status).toBe(200);
  const raised = { maxAmountPer24Hours: "1000000", waitingMax: 2 };
  expect((await confirmedCall(pair.owner, CAPS, raised)).status).toBe(200);
  const outcomes = (await Promise.all(Array.from({ length: 8 }, send))).map((response) => outcome(response).join(" "));
  expect(outcomes).toContain("200 ok");
  expect(outcomes.filter((each) => each !== "200 ok" && each !== "409 mandate_changed")).toEqual([]);
  await hold();
});

test("what the mandate has paid while the owner was asked is not paid again once they approve it: the next one is asked for anew", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  const cap = { maxAmountPer24Hours: "20000", waitingMax: 2 };
  await setCap(pair, cap);
  const send = () => pay(pair.agent, mandateId, { amount: "30000" });
  const { approvalId } = body(await send());
  expect((await confirmedCall(pair.owner, CAPS, { ...cap, maxAmountPer24Hours: "40000" })).status).toBe(200);
  const paid = await send();
  expect(outcome(paid)).toEqual([200, "ok"]);
  const record = await call("GET", `/api/payments/${body(paid).paymentRecordId}`, { bearer: pair.agent.jwt });
  expect(body(record).payment).toMatchObject({ mandateId });
  for (const verb of ["approve", "deny"] as const)
    expect(outcome(await decide(pair.owner, approvalId, verb))).toEqual([410, "approval_expired"]);
  const { payTo, resource } = v3(mandateId);
  expect(outcome(await single(pair.agent, { payTo, resource, approvalId }))).toEqual([410, "approval_expired"]);
  const next = await send();
  expect(outcome(next)).toEqual([202, "approval_required"]);
  expect(body(next).approvalId).not.toBe(approvalId);
  await hold();
});

test("a request that a payment under a mandate has joined is over once the mandate pays, whichever clock is ahead", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  const cap = { maxAmountPer24Hours: "20000", waitingMax: 2 };
  await setCap(pair, cap);
  const { payTo, resource } = v3(mandateId);
  const { approvalId } = body(await single(pair.agent, { payTo, resource }));
  const send = () => pay(pair.agent, mandateId, { amount: "30000" });
  expect(body(await send()).approvalId).toBe(approvalId);
  // Asked for at another process, whose clock is ahead.
  await testSystem.system.db.execute(sql`
    update approvals set created_at = created_at + interval '4 minutes', expires_at = expires_at + interval '4 minutes'
    where id = ${approvalId}`);
  expect((await decide(pair.owner, approvalId, "approve")).status).toBe(200);
  expect((await confirmedCall(pair.owner, CAPS, { maxAmountPer24Hours: "100000" })).status).toBe(200);
  expect(outcome(await send())).toEqual([200, "ok"]);
  expect(outcome(await single(pair.agent, { payTo, resource, approvalId }))).toEqual([410, "approval_expired"]);
  await hold();
});

test("an x402 v2 payment above a cap waits as well, and its proof repeats the offer", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { agentId: pair.agent.agentId, maxAmountPer30Days: "1", waitingMax: 1 });
  const accepted = {
    scheme: "exact",
    network: NETWORKS.base.caip2,
    amount: "10000",
    asset: NETWORKS.base.usdc,
    payTo: freshAddress(),
    maxTimeoutSeconds: 60,
    extra: { name: NETWORKS.base.tokenName, version: NETWORKS.base.tokenVersion },
  };
  const json = { mandateId, paymentRequest: { x402Version: 2, resource: { url: RESOURCE }, accepts: [accepted] } };
  const send = () => call("POST", "/api/v2/payment/x402-payment", { bearer: pair.agent.jwt, json });
  const asked = await send();
  expect(outcome(asked)).toEqual([202, "approval_required"]);
  expect((await decide(pair.owner, body(asked).approvalId, "approve")).status).toBe(200);
  const both = await Promise.all([send(), send()]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  const [paid] = both.filter(({ status }) => status === 200).map(body);
  expect(paid.paymentPayload.accepted).toEqual(accepted);
  await hold();
});

test("a payment that was decided before a cap was set is not written: under a mandate, and approved alone", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  const json = { payTo: freshAddress() };
  const { approvalId } = body(await single(pair.agent, json));
  expect((await confirmedCall(pair.owner, `/api/approvals/${approvalId}/approve`, {})).status).toBe(200);
  // The approval's payment has to exist.
  const { paymentRecordId } = body(await pay(pair.agent, mandateId));
  const { db } = testSystem.system;
  const mandate = await findForAgent(db, pair.agent.agentId as AgentId, mandateId as MandateId);
  const wallet = mandate?.walletId && (await walletById(db, mandate.walletId));
  if (!mandate || !wallet) throw new Error("the mandate has no wallet");
  const decided = { amount: toUsdc(30_000n), time: new Date(), caps: [] };
  const writing = [
    charging(mandate, decided),
    use({ id: approvalId, amount: decided.amount }, paymentRecordId, { wallet, ...decided }),
  ];
  const written = async () => {
    const counts: number[] = [];
    for (const guarded of writing) {
      await db
        .transaction(async (tx) => {
          counts.push((await tx.execute(sql`with ${guarded} select * from allowed`)).rows.length);
          tx.rollback();
        })
        .catch((error: unknown) => {
          if (!(error instanceof TransactionRollbackError)) throw error;
        });
    }
    return counts;
  };
  // Both would be written without the cap, also without one of their agent.
  expect(await written()).toEqual([1, 1]);
  await setCap(pair, { agentId: pair.agent.agentId, maxAmountPer24Hours: "1000000" });
  expect(await written()).toEqual([0, 0]);
});

test("of many requests at once, no more than allowed wait for a person", async () => {
  const pair = await linkedPair();
  await setCap(pair, { maxAmountPer24Hours: "1", waitingMax: 3 });
  const responses = await Promise.all(Array.from({ length: 12 }, () => single(pair.agent)));
  expect(tallied(responses)).toEqual({ "202 approval_required": 3, "403 owner_limit_reached": 9 });
});

test("a released payment frees the window that counted it, and counts again after a reorganisation", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { maxAmountPer24Hours: "10000" });
  const { expiresAt } = body(await pay(pair.agent, mandateId));
  expect(outcome(await pay(pair.agent, mandateId))).toEqual([403, "owner_limit_reached"]);
  const { system } = testSystem;
  const head = await system.chains.base.head();
  await ledger.releaseExpired(system, "base", { ...head, time: new Date(expiresAt * 1000) });
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { usedAmount: "0" } }]);
  expect((await pay(pair.agent, mandateId, { amount: "4000" })).status).toBe(200);
  await system.db.transaction(async (tx) => ledger.subscriber.unwound?.(tx, "base", head.number, new Date()));
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { usedAmount: "14000", remainingAmount: "0" } }]);
  await hold();
});

test("a window of 24 hours does not begin anew at midnight, moves on with the hours, and a clock that is behind takes nothing back", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({ validForSeconds: 86_400 * 60 }, pair);
  const hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS;
  const setClock = (ms: number) => wiring.control({ do: "clock", atMs: ms });
  const spend = async (amount: string) => {
    const login = await call("POST", "/refresh", { json: { agent_id: pair.agent.agentId, token: pair.agent.token } });
    return pay({ ...pair.agent, jwt: body(login).jwt }, mandateId, { amount });
  };
  try {
    await setCap(pair, { maxAmountPer24Hours: "20000" });
    await setClock(hour + 59 * 60_000);
    expect((await spend("20000")).status).toBe(200);
    const refused = await spend("1");
    expect(body(refused)).toMatchObject({
      code: "owner_limit_reached",
      availableAt: new Date(hour + 25 * HOUR_MS + 300_000).toISOString(),
    });
    await setClock(hour + 24.99 * HOUR_MS);
    expect(outcome(await spend("1"))).toEqual([403, "owner_limit_reached"]);
    await setClock(hour + 25 * HOUR_MS + 300_000);
    expect((await spend("15000")).status).toBe(200);
    await setClock(hour + 24.99 * HOUR_MS);
    expect(outcome(await spend("1"))).toEqual([403, "owner_limit_reached"]);
    await setClock(hour + 25 * HOUR_MS + 300_000);
    expect((await spend("5000")).status).toBe(200);
    await hold();
  } finally {
    await wiring.control({ do: "clock", aheadMs: 0 });
  }
});
