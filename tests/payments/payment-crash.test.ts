import { afterAll, beforeAll, expect, test } from "vitest";
import { ledger, subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { type Json, linkedPair, pay, RESOURCE, signedMandate } from "../support/mandates";
import { cranks, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");

beforeAll(async () => {
  world = await createWorld();
  process.env.LOG_LEVEL = "silent";
  wiring = await import("../support/wiring");
  testSystem = openSystem({ subscribers });
  await wiring.control({ do: "arm", failpoint: "payment.reserved", action: "throw" });
});
afterAll(async () => {
  await wiring.closeSystem();
  await testSystem.close();
  await world.stop();
});

test("after a crash between reserving and signing, the money stays reserved until every proof of that payment has expired", async () => {
  const { agent, mandateId } = await signedMandate(undefined, await linkedPair());
  const crank = await cranks(testSystem.system);
  await crank.observe();
  const res = await pay(agent, mandateId);
  expect(res).toMatchObject({
    status: 500,
    body: { code: "internal_error", message: expect.not.stringContaining("failpoint") },
  });
  const mandate = async (): Promise<Json> =>
    ((await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt })).body as Json).mandate;
  expect(await mandate()).toMatchObject({ pendingSpentAmount: "10000", spentAmount: "0" });
  expect(await violations(testSystem.system, ["base"])).toEqual([]);

  await world.increaseTime(120);
  await crank.observe();
  await ledger.releaseExpired(testSystem.system, "base", await testSystem.system.chains.base.head());
  expect(await mandate()).toMatchObject({ pendingSpentAmount: "0", spentAmount: "0" });
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

test("after a crash between using an approval and responding, the approval stays used, no second proof is signed, and the payment ends on the chain", async () => {
  const { agent, owner } = await linkedPair();
  const crank = await cranks(testSystem.system);
  await crank.observe();
  const json = { amount: "10000", payTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", resource: RESOURCE };
  const sign = (approvalId?: string) =>
    call("POST", "/api/payment/x402V1Payment", { bearer: agent.jwt, json: { ...json, approvalId } });
  const { approvalId } = (await sign()).body as Json;
  await confirmedCall(owner, `/api/approvals/${approvalId}/approve`, {});

  expect(await sign(approvalId)).toMatchObject({
    status: 500,
    body: { code: "internal_error", message: expect.not.stringContaining("failpoint") },
  });
  const repeatedResponse = await sign(approvalId);
  expect(repeatedResponse).toMatchObject({ status: 409, body: { code: "approval_used" } });
  const { paymentRecordId } = repeatedResponse.body as Json;
  const status = async (): Promise<string> =>
    ((await call("GET", `/api/payments/${paymentRecordId}`, { bearer: agent.jwt })).body as Json).payment.status;
  expect(await status()).toBe("signed");
  expect(await violations(testSystem.system, ["base"])).toEqual([]);

  await world.increaseTime(120);
  await crank.observe();
  await ledger.releaseExpired(testSystem.system, "base", await testSystem.system.chains.base.head());
  expect(await status()).toBe("expired");
  expect(await sign(approvalId)).toMatchObject({ status: 409, body: { code: "approval_used" } });
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});
