import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFailover, FAILOVER_MS, type PairedServices, startPairedServices } from "../support/failover";
import { PGBOUNCER } from "../support/pgbouncer";

// Debian's package is `pgbouncer`; PGBOUNCER names another program.
describe.skipIf(PGBOUNCER === null)("a failover behind PgBouncer", () => {
  let services: PairedServices;

  beforeAll(async () => {
    services = await startPairedServices({ pgbouncer: PGBOUNCER });
  }, FAILOVER_MS);

  afterAll(() => services?.stop());

  test(
    "when the primary is killed under load and PgBouncer is pointed at the standby, service resumes within ten seconds, and nothing is lost or paid twice",
    async () => {
      expect.hasAssertions();
      await expectFailover(services);
    },
    FAILOVER_MS,
  );
});
