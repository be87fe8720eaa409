import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { startWorker } from "@/lib/platform/worker";
import { until } from "../support/replica";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  testSystem = openSystem({}, { LEASE_SECONDS: "1" });
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

test("a background job that takes three times as long as its lease keeps the lease, and no other process starts the job", async () => {
  const { system } = testSystem;
  const began: string[] = [];
  const ended: string[] = [];
  const job = (who: string) => ({
    name: "slow",
    round: async (lease: Lease) => {
      began.push(who);
      await sleep(3_000);
      await system.db.transaction((tx) => assertLease(tx, lease));
      ended.push(who);
      return 60_000;
    },
  });
  const first = startWorker(system, job("first"), "first");
  await until(async () => began.length === 1, "the first round");
  const second = startWorker(system, job("second"), "second");
  await until(async () => ended.length === 1, "its end");
  expect([began, ended]).toEqual([["first"], ["first"]]);
  await Promise.all([first.stop(), second.stop()]);
});
