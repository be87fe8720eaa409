import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFailover, FAILOVER_MS, type PairedServices, startPairedServices } from "../support/failover";

let services: PairedServices;

beforeAll(async () => {
  services = await startPairedServices();
}, FAILOVER_MS);

afterAll(() => services?.stop());

test(
  "the primary is killed under load and the standby promoted: service within ten seconds, nothing lost or paid twice",
  async () => {
    expect.hasAssertions();
    await expectFailover(services);
  },
  FAILOVER_MS,
);
