import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchRequirement, present, signUnder } from "@/dev/actors/agents";
import { type Front, startFront } from "@/dev/simulate/front";
import { violations } from "@/ops/invariants";
import { migrateDatabase } from "@/ops/migrate";
import { openShop, PRICE, type Shop } from "../support/load";
import type { Json } from "../support/mandates";
import { killProcesses, ready, SERVICE, type Started, serviceSettings, startProcess } from "../support/process";
import { until } from "../support/replica";
import { type Pair, startPair } from "../support/standby";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

/** Two processes on a PostgreSQL primary with a synchronous standby. The primary dies under load, and the standby is promoted. */
const START_MS = 600_000;
const LANES = 3;
const BACK_SECONDS_MAX = 10;

let world: World;
let front: Front;
let directory: string;
let pair: Pair;
const services: Started[] = [];

beforeAll(async () => {
  world = await createWorld();
  directory = mkdtempSync(join(tmpdir(), "tessera-failover-"));
  pair = await startPair(directory, migrateDatabase);
  process.env.DATABASE_URL = pair.url;
  front = await startFront(() => services.map(({ port }) => port));
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
}, START_MS);

afterAll(async () => {
  killProcesses();
  await front?.stop();
  await pair?.primary.stop();
  await pair?.standby.stop();
  await world?.stop();
  rmSync(directory, { recursive: true, force: true });
});

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
  const answer = await insist(async () => {
    const said = await present(api, "Buyer", wanted.resource, xPayment).catch(() => null);
    firstStatus ??= said?.status ?? 0;
    return said && (said.status === 200 || said.status === 409) ? said : null;
  });
  const { settlementId } = answer.body as Json;
  return { xPayment, firstStatus: firstStatus ?? 0, lastStatus: answer.status, settlementId, endedAt: Date.now() };
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

test(
  "the primary is killed under load and the standby promoted: service within ten seconds, nothing lost or paid twice",
  async () => {
    const shop = await openShop(world, front.url);
    const load = startPersistentLoad(shop);
    await until(async () => load.payments.length >= 8, "the first payments");

    await pair.primary.kill();
    const before = load.payments.length;
    await sleep(2_000);
    expect((await fetch(`${front.url}/readyz`)).status).toBe(503);
    await pair.promote();
    const promotedAt = Date.now();
    const back = () => load.payments.filter(({ firstStatus, endedAt }) => firstStatus === 200 && endedAt > promotedAt);
    await until(
      async () => (await fetch(`${front.url}/healthz`)).ok && back().length > 0,
      "a payment after the promotion",
    );
    const seconds = ((back()[0]?.endedAt ?? 0) - promotedAt) / 1000;
    console.log(`The first new payment was settled ${seconds.toFixed(1)} s after the promotion`);
    expect(seconds).toBeLessThan(BACK_SECONDS_MAX);
    await until(async () => load.payments.length >= before + 10, "payments after the promotion");
    await load.stop();

    const opened = openSystem();
    const open = () => opened.sql`select id from settlements where state in ('claimed', 'prepared', 'broadcast')`;
    await until(async () => (await open()).length === 0, "every settlement to end");
    const ids = load.payments.map(({ settlementId }) => settlementId);
    expect(new Set(ids).size).toBe(ids.length);
    const settled = await opened.sql`select id from settlements where state = 'settled' and purpose = 'upl'`;
    expect(settled.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(await world.balanceOf(shop.payTo)).toBe(BigInt(ids.length) * PRICE);
    for (const { settlementId } of load.payments)
      expect((await shop.api.call("Buyer", "GET", `/api/settlements/${settlementId}`)).body).toMatchObject({
        settlementStatus: "settled",
      });
    await until(async () => (await fetch(`${front.url}/readyz`)).ok, "both processes to be ready again");
    expect(await violations(opened.system, ["base"])).toEqual([]);
    await opened.close();
  },
  START_MS,
);
