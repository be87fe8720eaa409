import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { fetchRequirement, present, signUnder } from "@/dev/actors/agents";
import { startFront } from "@/dev/simulate/front";
import { violations } from "@/ops/invariants";
import { migrateDatabase } from "@/ops/migrate";
import { openShop, PRICE, type Shop } from "./load";
import type { Json } from "./mandates";
import { PATIENCE } from "./patience";
import { startBouncer } from "./pgbouncer";
import { killProcesses, ready, SERVICE, type Started, serviceSettings, startProcess } from "./process";
import { until } from "./replica";
import { startPair } from "./standby";
import { openSystem } from "./system";
import { createWorld } from "./world";

export const FAILOVER_MS = 600_000;
const LANES = 3;
const BACK_SECONDS_MAX = 10 * PATIENCE;

/**
 * Two processes on a PostgreSQL primary with a synchronous standby; with `pgbouncer`, through this program in transaction mode,
 * which is pointed at the standby after the promotion.
 */
export async function startPairedServices({ pgbouncer = null }: { pgbouncer?: string | null } = {}) {
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const world = await createWorld();
    undo.push(world.stop);
    const directory = mkdtempSync(join(tmpdir(), "tessera-failover-"));
    undo.push(() => rmSync(directory, { recursive: true, force: true }));
    const pair = await startPair(directory, migrateDatabase);
    undo.push(pair.primary.stop, pair.standby.stop);
    const bouncer = pgbouncer === null ? null : await startBouncer(pgbouncer, pair.primary.url);
    if (bouncer) {
      undo.push(bouncer.stop, () => delete process.env.DATABASE_DIRECT_URL);
      process.env.DATABASE_DIRECT_URL = pair.url;
    }
    process.env.DATABASE_URL = bouncer?.url ?? pair.url;
    const services: Started[] = [];
    const front = await startFront(() => services.map(({ port }) => port));
    undo.push(front.stop, killProcesses);
    const env = {
      ...serviceSettings(),
      PUBLIC_BASE_URL: front.url,
      NEXTAUTH_URL: front.url,
      PRELOAD_ROUTES: "off",
      LEASE_SECONDS: "3",
      LOG_LEVEL: "warn",
    };
    for (const _ of [1, 2]) {
      const service = await startProcess(SERVICE, env);
      await ready(service);
      services.push(service);
    }
    const promote = async () => {
      await pair.promote();
      bouncer?.pointAt(pair.standby.url);
    };
    return { world, front, kill: pair.primary.kill, promote, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type PairedServices = Awaited<ReturnType<typeof startPairedServices>>;

/** A payment that its buyer repeats until it has ended. `firstStatus`: of the first response to the proof, 0 without one. */
type Persisted = { xPayment: string; firstStatus: number; lastStatus: number; settlementId: string; endedAt: number };

const RETRY_MS = 100;
const PATIENCE_MS = 120_000;

async function insist<T>(attempt: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    // A connection that breaks and an error of the service are what this test is about.
    const result = await attempt().catch(() => null);
    if (result !== null) return result;
    if (Date.now() > deadline) throw new Error("a payment did not end");
    await sleep(RETRY_MS);
  }
}

async function payPersistently({ api, buyer, seller, mandateId }: Shop): Promise<Persisted> {
  const url = seller.tessera.receiveUrl(`${PRICE}`);
  const wanted = await insist(() => fetchRequirement(api, "Buyer", url));
  const { xPaymentB64: xPayment } = await insist(() => signUnder(buyer, mandateId, wanted));
  let firstStatus: number | null = null;
  const response = await insist(async () => {
    const said = await present(api, "Buyer", wanted.resource, xPayment).catch(() => null);
    firstStatus ??= said?.status ?? 0;
    return said && (said.status === 200 || said.status === 409) ? said : null;
  });
  const { settlementId } = response.body as Json;
  return { xPayment, firstStatus: firstStatus ?? 0, lastStatus: response.status, settlementId, endedAt: Date.now() };
}

function startPersistentLoad(shop: Shop) {
  const payments: Persisted[] = [];
  let isOver = false;
  const lanes = Array.from({ length: LANES }, async () => {
    while (!isOver) payments.push(await payPersistently(shop));
  });
  return {
    payments,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

/** Kills the primary under payment load and promotes the standby: service within ten seconds, nothing lost or paid twice. */
export async function expectFailover({ world, front, kill, promote }: PairedServices): Promise<void> {
  const shop = await openShop(world, front.url);
  const load = startPersistentLoad(shop);
  await until(async () => load.payments.length >= 8, "the first payments");

  await kill();
  const paymentsBefore = load.payments.length;
  await sleep(2_000);
  expect((await fetch(`${front.url}/readyz`)).status).toBe(503);
  await promote();
  const promotedAt = Date.now();
  const back = () => load.payments.filter(({ firstStatus, endedAt }) => firstStatus === 200 && endedAt > promotedAt);
  await until(
    async () => (await fetch(`${front.url}/healthz`)).ok && back().length > 0,
    "a payment after the promotion",
  );
  const seconds = ((back()[0]?.endedAt ?? 0) - promotedAt) / 1000;
  console.log(`The first new payment was settled ${seconds.toFixed(1)} s after the promotion`);
  expect(seconds).toBeLessThan(BACK_SECONDS_MAX);
  await until(async () => load.payments.length >= paymentsBefore + 10, "payments after the promotion");
  await load.stop();

  const testSystem = openSystem();
  const open = () => testSystem.sql`select id from settlements where state in ('claimed', 'prepared', 'broadcast')`;
  await until(async () => (await open()).length === 0, "every settlement to end");
  const ids = load.payments.map(({ settlementId }) => settlementId);
  expect(new Set(ids).size).toBe(ids.length);
  const settled = await testSystem.sql`select id from settlements where state = 'settled' and purpose = 'upl'`;
  expect(settled.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(await world.balanceOf(shop.payTo)).toBe(BigInt(ids.length) * PRICE);
  for (const { settlementId } of load.payments)
    expect((await shop.api.call("Buyer", "GET", `/api/settlements/${settlementId}`)).body).toMatchObject({
      settlementStatus: "settled",
    });
  await until(async () => (await fetch(`${front.url}/readyz`)).ok, "both processes to be ready again");
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
  await testSystem.close();
}
