import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Lease } from "@/lib/platform/lease";
import { ledger, subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { freshAddress, type Json, signedMandate } from "../support/mandates";
import { body, funded, payout, readPayout, requestPayout, walletOf } from "../support/payouts";
import { pollRounds, revertPublicly } from "../support/reverting-transfers";
import { cranks, leaseFor, openSystem } from "../support/system";
import { changeToken } from "../support/token";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let payouts: typeof import("@/lib/payouts/service");
let crank: Awaited<ReturnType<typeof cranks>>;
let lease: Lease;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  process.env.LOG_LEVEL = "silent";
  wiring = await import("../support/wiring");
  payouts = await import("@/lib/payouts/service");
  testSystem = openSystem({ subscribers }, { CONFIRMATIONS: "3" });
  crank = await cranks(testSystem.system);
  await crank.observe();
  lease = await leaseFor(testSystem.system, "payouts");
});

afterEach(async () => {
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

afterAll(async () => {
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const finish = () => payouts.finishEnded(testSystem.system, lease);

async function ready() {
  const parties = await signedMandate();
  await funded(world, parties.owner);
  const statusOf = async (payoutId: string): Promise<string> => {
    await finish();
    return body(await readPayout(parties.agent, payoutId)).status;
  };
  const budget = async (): Promise<[string, string]> => {
    const response = await call("GET", `/api/mandates/agent/${parties.mandateId}`, { bearer: parties.agent.jwt });
    const { pendingSpentAmount, spentAmount } = body(response).mandate as Json;
    return [pendingSpentAmount, spentAmount];
  };
  return { ...parties, statusOf, budget };
}

const two = () => [freshAddress(), freshAddress()].map((toAddress) => ({ toAddress, amount: "10" }));

test("a payout succeeds once its block is as deep as CONFIRMATIONS, and stays succeeded", async () => {
  const { agent, mandateId, statusOf, budget } = await ready();
  await requestPayout(agent, { payoutId: "deep", recipients: two(), mandateId });
  expect([await statusOf("deep"), await budget()]).toEqual(["authorized", ["20", "0"]]);
  await crank.drain();
  expect([await statusOf("deep"), await budget()]).toEqual(["processing", ["0", "20"]]);
  expect(body(await readPayout(agent, "deep"))).toMatchObject({ confirmations: 1, executedAt: expect.any(String) });
  await world.mine(1);
  await crank.observe();
  expect(await statusOf("deep")).toBe("processing");
  await world.mine(1);
  await crank.observe();
  expect(await statusOf("deep")).toBe("succeeded");
  // Shallower blocks may be replaced; the earlier responses stay true.
  await world.reorg(2);
  await crank.observe();
  expect([await statusOf("deep"), await budget()]).toEqual(["succeeded", ["0", "20"]]);
});

test("transfers that a reorganisation reverses are made again, and meanwhile the payout is pending with its budget reserved", async () => {
  const { agent, mandateId, statusOf, budget } = await ready();
  const recipients = two();
  await requestPayout(agent, { payoutId: "taken", recipients, mandateId });
  await crank.drain();
  expect(await budget()).toEqual(["0", "20"]);
  await world.reorg(1);
  await world.mine(1);
  await crank.observe();
  expect([await statusOf("taken"), await budget()]).toEqual(["processing", ["20", "0"]]);
  await pollRounds(crank, budget).toEqual(["0", "20"]);
  await world.mine(2);
  await crank.observe();
  expect(await statusOf("taken")).toBe("succeeded");
  expect(await Promise.all(recipients.map(({ toAddress }) => world.balanceOf(toAddress)))).toEqual([10n, 10n]);
});

test("a payout is pending again when a confirmed block is replaced", async () => {
  const { agent, mandateId, statusOf, budget } = await ready();
  await requestPayout(agent, { ...payout(), payoutId: "deeper", mandateId });
  await crank.drain();
  await world.mine(2);
  await crank.observe();
  expect(await statusOf("deeper")).toBe("succeeded");
  await world.reorg(3);
  await world.mine(1);
  await crank.observe();
  expect([await statusOf("deeper"), await budget()]).toEqual(["processing", ["10000", "0"]]);
  await pollRounds(crank, budget).toEqual(["0", "10000"]);
  await world.mine(2);
  await crank.observe();
  expect(await statusOf("deeper")).toBe("succeeded");
});

/** A payout whose transaction reverted publicly for lack of funds. The wallet is funded again. */
async function revertedInPublic(payoutId: string) {
  const parties = await ready();
  const { owner, agent, mandateId } = parties;
  const json = { ...payout(), payoutId, bizId: `biz_${payoutId}`, mandateId };
  const createdResponse = await requestPayout(agent, json);
  expect(createdResponse.status).toBe(201);
  const of = { wallet: await walletOf(owner), subject: body(createdResponse).payoutRecordId };
  return { ...parties, json, submit: await revertPublicly({ world, crank, sql: testSystem.sql }, of) };
}

test("a payout that anybody can still submit has not failed, and pays once if somebody submits it", async () => {
  const { agent, json, submit, statusOf } = await revertedInPublic("shown");
  expect(await statusOf("shown")).toBe("processing");
  const repeatedResponse = await requestPayout(agent, { ...json, payoutId: "shown_again" });
  expect([repeatedResponse.status, body(repeatedResponse).code]).toEqual([409, "duplicate_biz_id"]);
  await submit();
  await world.mine(3);
  await crank.observe();
  expect(await statusOf("shown")).toBe("succeeded");
  expect(await world.balanceOf(json.toAddress)).toBe(10_000n);
});

test("the budget of a failed payout is released once the chain's time shows that it can never be paid", async () => {
  const everybodys = await revertedInPublic("ran_out");
  expect(await everybodys.statusOf("ran_out")).toBe("processing");
  const { agent, mandateId, statusOf, budget } = await ready();
  const recipients = two();
  await changeToken(world, "blacklist", [recipients[1]?.toAddress ?? ""]);
  await requestPayout(agent, { payoutId: "refused", recipients, mandateId });
  await crank.drain();
  expect([await statusOf("refused"), await budget()]).toEqual(["processing", ["20", "0"]]);
  expect(body(await readPayout(agent, "refused")).legs).toMatchObject([
    { status: "pending", failureCode: "GROUP_FAILED", stillValidUntil: expect.any(String) },
    { status: "pending", failureCode: "ACCOUNT_BLOCKED", stillValidUntil: expect.any(String) },
  ]);
  const release = async () =>
    ledger.releaseExpired(testSystem.system, "base", await testSystem.system.chains.base.head());
  await crank.observe();
  expect(await release()).toEqual([]);
  expect(await budget()).toEqual(["20", "0"]);
  await world.increaseTime(700);
  await crank.observe();
  // Only a block at the depth of CONFIRMATIONS ends it.
  expect(await statusOf("refused")).toBe("processing");
  await world.mine(2);
  await crank.observe();
  expect(await release()).toEqual([]);
  expect([await statusOf("refused"), await budget()]).toEqual(["failed", ["0", "0"]]);
  expect([await everybodys.statusOf("ran_out"), await everybodys.budget()]).toEqual(["failed", ["0", "0"]]);
  expect((await requestPayout(everybodys.agent, { ...everybodys.json, payoutId: "another_try" })).status).toBe(201);
});
