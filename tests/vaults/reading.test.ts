import { expect, test } from "vitest";
import { toUsdc } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { readVaults, subscriber } from "@/lib/mandates/vaults/reading";
import type { System } from "@/lib/platform/context";
import { runService } from "../support/service";
import { cranks, leaseFor } from "../support/system";
import { vaultsIn } from "../support/vault-service";

const service = runService();
const { opened, rowOf } = vaultsIn(service);

const LIMIT = 10_000_000n;
const GIFT = toUsdc(1_500_000n);

/** `system`, whose nodes answer a reading of the base chain only after `meanwhile` has ended. */
function slowReading({ ...system }: System, meanwhile: () => Promise<void>): System {
  const { base } = system.chains;
  const readAt: typeof base.readAt = async (...args) => {
    const states = await base.readAt(...args);
    await meanwhile();
    return states;
  };
  return { ...system, chains: { ...system.chains, base: { ...base, readAt } } };
}

test("money that arrives while a vault is being read is counted the next time, and the reading has the time of its beginning", async () => {
  const { mandateId, vault } = await opened();
  await service.workers.stop();
  const began = service.opened.system.now();
  let now = began;
  const system = { ...service.opened.system, subscribers: [subscriber], now: () => now };
  const { observe } = await cranks(system);
  const lease = await leaseFor(system, "vaults:base");
  await observe();
  await service.opened.sql`update vaults set is_stale = true where mandate_id = ${mandateId}`;
  const slow = slowReading(system, async () => {
    await service.world.mint(vault, GIFT);
    await service.world.mine();
    await observe();
    now = addSeconds(began, 20);
  });
  await readVaults(slow, "base", lease);
  expect(await rowOf(mandateId)).toMatchObject({ balance: `${LIMIT}`, is_stale: true, read_at: began });
  await readVaults(system, "base", lease);
  expect(await rowOf(mandateId)).toMatchObject({ balance: `${LIMIT + GIFT}`, is_stale: false });
});
