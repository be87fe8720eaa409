import { afterAll, beforeAll, expect, test } from "vitest";
import { forgetOld } from "@/lib/retention";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  testSystem = openSystem({}, { HISTORY_DAYS: "90" });
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

const addEvents = (name: string, days: number, count = 1) => testSystem.sql`
  insert into events (id, type, subject, meta, created_at)
  select ${name}::text || i, 'test', ${name}, '{}', now() - interval '1 day' * ${days}::int from generate_series(1, ${count}::int) i`;

async function remainingNames() {
  const { sql } = testSystem;
  const names = async (rows: Promise<readonly { name?: string }[]>) => (await rows).map(({ name }) => name);
  return {
    events: await names(sql`select distinct subject as name from events where type = 'test' order by 1`),
    visits: await names(sql`select visit_id as name from link_visits order by 1`),
    turns: await names(sql`select key as name from rate_limits where key like 'test%' order by 1`),
    answers: await names(sql`select key_hash as name from idempotent_requests where scope = 'test' order by 1`),
  };
}

async function fill(): Promise<void> {
  const { sql } = testSystem;
  await addEvents("many", 100, 1_500);
  await addEvents("waiting", 100);
  await addEvents("young", 89);
  await sql`insert into event_outbox (event_id) values ('waiting1')`;
  await sql.begin(async (tx) => {
    // Visits without their link.
    await tx`set local session_replication_role = replica`;
    await tx`insert into link_visits (link_id, visit_id, viewed_at)
      values ('lnk', 'old', now() - interval '91 days'), ('lnk', 'young', now() - interval '89 days')`;
  });
  const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
  await sql`insert into rate_limits (key, points, expire)
    values ('test:old', 1, ${hoursAgo(2)}), ('test:young', 1, ${hoursAgo(0.5)}), ('test:never', 1, null)`;
  await sql`insert into idempotent_requests (scope, key_hash, request_hash, created_at)
    values ('test', 'old', '', now() - interval '25 hours'), ('test', 'young', '', now() - interval '23 hours')`;
}

test("old rows are deleted a thousand at a time, and an event only after its webhooks were queued", async () => {
  await fill();
  expect(await forgetOld(testSystem.system)).toBe(true);
  expect((await remainingNames()).events).toContain("many");
  expect(await forgetOld(testSystem.system)).toBe(false);
  expect(await remainingNames()).toEqual({
    events: ["waiting", "young"],
    visits: ["young"],
    turns: ["test:never", "test:young"],
    answers: ["young"],
  });
  await testSystem.sql`delete from event_outbox`;
  await forgetOld(testSystem.system);
  expect((await remainingNames()).events).toEqual(["young"]);
});

test("without HISTORY_DAYS, activity is deleted after 400 days", async () => {
  const unset = openSystem({}, { HISTORY_DAYS: "" });
  await addEvents("past", 401);
  await addEvents("recent", 399);
  await forgetOld(unset.system);
  const { events } = await remainingNames();
  expect(events).toContain("recent");
  expect(events).not.toContain("past");
  await unset.close();
});

test("with HISTORY_DAYS=forever, activity and visits are kept", async () => {
  await addEvents("ancient", 3_000);
  await forgetOld({ ...testSystem.system, config: { ...testSystem.system.config, historyDays: null } });
  expect((await remainingNames()).events).toContain("ancient");
});
