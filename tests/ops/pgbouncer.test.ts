import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Front, startFront } from "@/dev/simulate/front";
import { violations } from "@/ops/invariants";
import { openShop, payOnce } from "../support/load";
import type { Json } from "../support/mandates";
import { type Bouncer, PGBOUNCER, startBouncer } from "../support/pgbouncer";
import { killProcesses, ready, SERVICE, type Started, serviceSettings, startProcess } from "../support/process";
import { until } from "../support/replica";
import { freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const START_MS = 600_000;

// Debian's package is `pgbouncer`; PGBOUNCER names another program.
describe.skipIf(PGBOUNCER === null)("through PgBouncer in transaction mode", () => {
  let world: World;
  let bouncer: Bouncer;
  let front: Front;
  let service: Started;

  beforeAll(async () => {
    world = await createWorld();
    bouncer = await startBouncer(PGBOUNCER ?? "", world.databaseUrl);
    Object.assign(process.env, { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: world.databaseUrl });
    front = await startFront(() => (service ? [service.port] : []));
    const env = { ...serviceSettings(), PUBLIC_BASE_URL: front.url, NEXTAUTH_URL: front.url, PRELOAD_ROUTES: "off" };
    service = await startProcess(SERVICE, {
      ...env,
      LOG_LEVEL: "warn",
    });
    await ready(service);
  }, START_MS);

  afterAll(async () => {
    killProcesses();
    await front?.stop();
    await bouncer?.stop();
    await world?.stop();
    delete process.env.DATABASE_DIRECT_URL;
  });

  test(
    "owners, agents, mandates, concurrent payments, payouts and lists work as with a direct connection, and notifications arrive",
    async () => {
      const shop = await openShop(world, front.url);
      const paid = await Promise.all(Array.from({ length: 24 }, () => payOnce(shop)));
      expect(paid.map(({ answer }) => answer.status)).toEqual(paid.map(() => 200));
      const payout = { mandateId: shop.mandateId, payoutId: "p-1", toAddress: freshAddress(), amount: "700" };
      expect((await shop.buyer.call("POST", "/api/payouts", payout)).status).toBe(201);
      const status = async () => ((await shop.buyer.call("GET", "/api/payouts/p-1")).body as Json).status;
      await until(async () => (await status()) === "succeeded", "the payout");
      const received = (await shop.seller.call("GET", "/api/received-payments")).body as Json;
      expect(received.payments.length).toBeGreaterThan(10);

      const testSystem = openSystem();
      const sessions = await testSystem.sql`select application_name as name, count(*)::int as n from pg_stat_activity
        where datname = current_database() group by 1`;
      // One for LISTEN, past the pooler; all other work shares its few connections.
      expect(sessions.find(({ name }) => name === "tessera hub")?.n).toBeGreaterThan(0);
      expect(await violations(testSystem.system, ["base"])).toEqual([]);
      await testSystem.close();
      expect(service.said()).not.toMatch(/"level":"error"/);
    },
    START_MS,
  );
});
