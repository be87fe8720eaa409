import { afterAll, beforeAll, expect, test } from "vitest";
import { ledger, subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { type Json, linkedPair, pay, signedMandate } from "../support/mandates";
import { cranks, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let opened: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");

beforeAll(async () => {
  world = await createWorld();
  process.env.LOG_LEVEL = "silent";
  wiring = await import("../support/wiring");
  opened = openSystem({ subscribers });
  await wiring.control({ do: "arm", failpoint: "payment.reserved", action: "throw" });
});
afterAll(async () => {
  await wiring.closeSystem();
  await opened.close();
  await world.stop();
});

test("a crash between reserving and signing keeps the money reserved, and releases it once no proof could be valid", async () => {
  const { agent, mandateId } = await signedMandate(undefined, await linkedPair());
  const crank = await cranks(opened.system);
  await crank.observe();
  const res = await pay(agent, mandateId);
  expect(res).toMatchObject({
    status: 500,
    body: { code: "internal_error", message: expect.not.stringContaining("failpoint") },
  });
  const mandate = async (): Promise<Json> =>
    ((await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt })).body as Json).mandate;
  expect(await mandate()).toMatchObject({ pendingSpentAmount: "10000", spentAmount: "0" });
  expect(await violations(opened.system, ["base"])).toEqual([]);

  await world.increaseTime(120);
  await crank.observe();
  await ledger.releaseExpired(opened.system, "base", await opened.system.chains.base.head());
  expect(await mandate()).toMatchObject({ pendingSpentAmount: "0", spentAmount: "0" });
  expect(await violations(opened.system, ["base"])).toEqual([]);
});
