import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFailover, FAILOVER_MS, type PairedServices, startPairedServices } from "../support/failover";

let services: PairedServices;

beforeAll(async () => {
  services = await startPairedServices();
}, FAILOVER_MS);

afterAll(() => services?.stop());

test(
  "when the primary database is killed under load and the standby promoted, service resumes within ten seconds, and nothing is lost or paid twice",
  async () => {
    expect.hasAssertions();
    await expectFailover(services);
  },
  FAILOVER_MS,
);
