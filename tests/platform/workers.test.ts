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

test("the time of a job's last round without an error is recorded while it works, and stays when it fails", async () => {
  const { system, sql } = testSystem;
  let isFailing = false;
  const job = {
    name: "steady",
    round: async () => {
      if (isFailing) throw new Error("for the test");
      return 50;
    },
  };
  const row = async () => {
    const [lease] = await sql`select worked_at, expires_at from leases where name = 'steady'`;
    return { workedAt: lease?.worked_at ?? null, expiresAt: lease?.expires_at ?? null };
  };
  const worker = startWorker(system, job, "steady");
  await until(async () => (await row()).workedAt !== null, "the first report");
  const first = await row();
  await until(async () => (await row()).workedAt > first.workedAt, "the next report", 5);

  isFailing = true;
  const failedAt = Date.now();
  await until(async () => (await row()).expiresAt.getTime() > failedAt + 4_000, "several renewals");
  // The time of a report is measured across a query.
  expect((await row()).workedAt.getTime()).toBeLessThanOrEqual(failedAt + 1_500);
  await worker.stop();
});
