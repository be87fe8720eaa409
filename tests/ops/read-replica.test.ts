import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Front, startFront } from "@/dev/simulate/front";
import { migrateDatabase } from "@/ops/migrate";
import { openShop, payOnce } from "../support/load";
import type { Json } from "../support/mandates";
import { killProcesses, ready, SERVICE, type Started, serviceSettings, startProcess } from "../support/process";
import { until } from "../support/replica";
import { type Pair, startPair } from "../support/standby";
import { createWorld, type World } from "../support/world";

/** A service that reads lists from a standby, which falls behind and then dies. */
const START_MS = 600_000;

let world: World;
let front: Front;
let directory: string;
let pair: Pair;
let service: Started;

beforeAll(async () => {
  world = await createWorld();
  directory = mkdtempSync(join(tmpdir(), "tessera-replica-"));
  pair = await startPair(directory, migrateDatabase);
  process.env.DATABASE_URL = pair.primary.url;
  front = await startFront(() => (service ? [service.port] : []));
  const own = { PUBLIC_BASE_URL: front.url, NEXTAUTH_URL: front.url, PRELOAD_ROUTES: "off", LOG_LEVEL: "info" };
  service = await startProcess(SERVICE, { ...serviceSettings(), ...own, DATABASE_REPLICA_URL: pair.standby.url });
  await ready(service);
}, START_MS);

afterAll(async () => {
  killProcesses();
  await front?.stop();
  await pair?.primary.stop();
  await pair?.standby.stop();
  await world?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test(
  "with a read replica, lists may lag by seconds and budgets never do; without a usable standby every query uses the primary",
  async () => {
    const shop = await openShop(world, front.url);
    await until(async () => service.said().includes('"replica.caught_up"'), "the standby to be used");
    const activity = async () => (await shop.owner.call("GET", "/api/activity.csv")).text;
    const spent = async () => {
      const { body } = await shop.buyer.call("GET", "/api/mandates");
      return (body as Json).mandates.find((each: Json) => each.mandateId === shop.mandateId);
    };
    await until(async () => (await activity()).includes("mandate.signed"), "the standby to have the mandate");
    const spentBefore = await spent();

    const standby = postgres(pair.standby.url, { max: 1, onnotice: () => {} });
    await standby`select pg_wal_replay_pause()`;
    expect((await payOnce(shop)).answer.status).toBe(200);
    expect(await activity()).not.toMatch(/payment\.(signed|settled)/);
    expect(await spent()).not.toEqual(spentBefore);

    await until(
      async () => /payment\.(signed|settled)/.test(await activity()),
      "the list to come from the primary",
      30,
    );
    expect(service.said()).toContain('"replica.lagging"');
    await standby`select pg_wal_replay_resume()`;
    const uses = () => service.said().split('"replica.caught_up"').length - 1;
    await until(async () => uses() === 2, "the standby to be used again");
    await standby.end();

    await pair.standby.kill();
    // Without its standby the primary would wait for it at each commit.
    const primary = postgres(pair.primary.url, { max: 1, onnotice: () => {} });
    await primary`alter system reset synchronous_standby_names`;
    await primary`select pg_reload_conf()`;
    await primary.end();
    expect(await activity()).toMatch(/payment\.(signed|settled)/);
    expect((await payOnce(shop)).answer.status).toBe(200);
  },
  START_MS,
);
