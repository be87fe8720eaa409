import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { freshAddress, type Json, signedMandate } from "../support/mandates";
import {
  body,
  createPayout,
  decide,
  ended,
  endedOwned,
  funded,
  payout,
  readPayout,
  requestPayout,
} from "../support/payouts";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> } | undefined;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  Object.assign(process.env, { LOG_LEVEL: "silent", POLL_MILLISECONDS: "200" });
  wiring = await import("../support/wiring");
  testSystem = openSystem();
  await wiring.control({ do: "arm", failpoint: "settlement.claimed", action: "throw" });
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

test("when the response to a payout under a mandate is lost in a crash, repeating the call returns that payout, which is paid once", async () => {
  const { agent, owner, mandateId } = await signedMandate();
  await funded(world, owner);
  const recipients = [freshAddress(), freshAddress()].map((toAddress) => ({ toAddress, amount: "10" }));
  const json = { payoutId: "lost", recipients, mandateId };
  expect((await requestPayout(agent, json)).status).toBe(500);
  const repeatedResponse = await requestPayout(agent, json);
  expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([
    200,
    { payoutId: "lost", status: "authorized" },
  ]);
  const mandate = async (): Promise<Json> =>
    body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt })).mandate;
  expect(await mandate()).toMatchObject({ pendingSpentAmount: "20", spentAmount: "0" });
  expect(await violations(testSystem.system)).toEqual([]);

  workers = wiring.startWorkers();
  expect((await ended(agent, "lost")).status).toBe("succeeded");
  expect((await requestPayout(agent, json)).status).toBe(200);
  expect(await Promise.all(recipients.map(({ toAddress }) => world.balanceOf(toAddress)))).toEqual([10n, 10n]);
  expect(await mandate()).toMatchObject({ pendingSpentAmount: "0", spentAmount: "20" });
  expect(await violations(testSystem.system)).toEqual([]);
  await workers.stop();
  workers = undefined;
});

test("when the response to an approval is lost in a crash, the approval is in effect, repeating it changes nothing, and the payout is paid once", async () => {
  const { owner } = await signedMandate();
  await funded(world, owner);
  const json = payout({ payoutId: "pressed" });
  const { payoutRecordId } = body(await createPayout(owner, json)).payout;
  const approve = () => decide(owner, payoutRecordId, "approve");
  expect((await approve()).status).toBe(500);
  const repeatedResponse = await approve();
  expect([repeatedResponse.status, body(repeatedResponse).payout.status]).toEqual([200, "authorized"]);
  expect(await violations(testSystem.system)).toEqual([]);

  workers = wiring.startWorkers();
  expect((await endedOwned(owner, payoutRecordId)).status).toBe("succeeded");
  expect(await world.balanceOf(json.toAddress)).toBe(10_000n);
  expect(await violations(testSystem.system)).toEqual([]);
});

test("when the database is lost during a claim, the outcome is unknown and has the payoutId; repeating the call returns the outcome", async () => {
  const { agent, owner, mandateId } = await signedMandate();
  await funded(world, owner);
  const json = { ...payout(), payoutId: "unknown", mandateId };
  // The claim waits for the lock of the mandate's row; its connection is cut there.
  const { sql } = testSystem;
  let asking: ReturnType<typeof requestPayout> | undefined;
  await sql.begin(async (tx) => {
    await tx`select id from mandates where id = ${mandateId} for update`;
    asking = requestPayout(agent, json);
    for (let cut = 0; cut === 0; ) {
      const rows = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      cut = rows.length;
    }
  });
  const response = await asking;
  expect([response?.status, response?.body]).toMatchObject([
    503,
    { code: "settlement_unknown", payoutId: "unknown", message: expect.stringContaining("same body") },
  ]);
  // Nothing was committed, so the repeated call creates the payout; the failpoint drops its response.
  expect((await readPayout(agent, "unknown")).status).toBe(404);
  expect((await requestPayout(agent, json)).status).toBe(500);
  expect((await requestPayout(agent, json)).status).toBe(200);
  expect((await ended(agent, "unknown")).status).toBe("succeeded");
  expect(await world.balanceOf(json.toAddress)).toBe(10_000n);
  expect(await violations(testSystem.system)).toEqual([]);
});
