import { privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { call } from "../support/http";
import { until } from "../support/replica";
import { runService } from "../support/service";

const service = runService();

const read = () => call("GET", "/readyz");

test("fifty simultaneous requests for /readyz cause no more calls to the nodes than two requests", async () => {
  await until(async () => (await read()).status === 200, "the service to be ready");
  await service.workers.stop();
  let calls = 0;
  for (const network of ["base", "base-sepolia"] as const) {
    const { refuses } = service.world.node(network).faults;
    for (const method of ["eth_getBlockByNumber", "eth_blockNumber", "eth_getBalance", "eth_getCode", "eth_call"]) {
      refuses.set(method, () => {
        calls += 1;
        return null;
      });
    }
  }
  const readings = await Promise.all(Array.from({ length: 50 }, read));
  for (const network of ["base", "base-sepolia"] as const) service.world.node(network).faults.refuses.clear();
  expect(readings.every(({ status }) => status === 200 || status === 503)).toBe(true);
  // At most two readings, each of the newest block and the balance of each key, on two networks.
  expect(calls).toBeLessThanOrEqual(2 * 2 * (2 + service.opened.system.config.relayerKeys.length));
  service.workers.start();
});

test("/readyz shows no key, no balance and no reason for a pause", async () => {
  await service.opened.sql`update relayers set paused_reason = 'the reason of a pause'`;
  const { text, body } = await read();
  await service.opened.sql`update relayers set paused_reason = null`;
  expect(Object.keys(body as object).sort()).toEqual(["chains", "database", "queues", "status", "webhooks"]);
  expect(text.toLowerCase()).not.toMatch(/0x[0-9a-f]{40}/);
  expect(text).not.toMatch(/wei|the reason of a pause/i);
  for (const key of service.opened.system.config.relayerKeys) {
    const address = privateKeyToAddress(key);
    const balance = await service.world.client().getBalance({ address });
    expect(text).not.toContain(address);
    expect(text).not.toContain(balance.toString());
  }
});
