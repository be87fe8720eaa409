import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { settle } from "@/lib/settlements/service";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { linkedPair, owned } from "../support/mandates";
import { runService } from "../support/service";
import { claimFrom, freshAddress } from "../support/system";
import { changeToken } from "../support/token";
import { claimed, vaultSignatures } from "../support/vault-mandates";

// Operations of vaults must not delay payments, and those that can never work must cost little.

const service = runService();

/** Signed mandates whose vaults can never be opened: their owner's money is gone. */
async function hopelessOpenings(count: number): Promise<void> {
  const { world } = service;
  const parties = await linkedPair();
  const owner = toAddress(parties.owner.address);
  await world.mint(owner, 1_000_000n);
  for (let index = 0; index < count; index++) {
    const { mandateId } = await claimed({ limitAmount: "1000000" }, parties);
    await owned(parties.owner, mandateId, "signature", await vaultSignatures(parties.owner, mandateId));
  }
  await world.client().impersonateAccount({ address: owner });
  await world.client().setBalance({ address: owner, value: 10n ** 18n });
  await changeToken(world, "transfer", [freshAddress(), 1_000_000n], owner);
}

const isOpening = (params: unknown[]) => {
  const [call] = params as [{ to?: string }];
  return call.to?.toLowerCase() === VAULT_CONTRACTS[2].factory.address.toLowerCase();
};

/** Milliseconds until a payment has moved. */
async function payment(): Promise<number> {
  const began = Date.now();
  const { id } = await settle(service.opened.system, claimFrom(service.payer(), freshAddress(), 10_000n), 0);
  for (;;) {
    const [row] = await service.opened.sql`select state from settlements where id = ${id}`;
    if (row?.state === "settled") return Date.now() - began;
    expect(row?.state).not.toBe("declined");
    await sleep(50);
  }
}

test("a payment does not wait for the opening of vaults, however slowly a node responds to openings", async () => {
  await service.workers.stop();
  for (let owners = 0; owners < 5; owners++) await hopelessOpenings(1);
  let slow = 0;
  service.world.node().faults.answers.set("eth_call", async (params, result) => {
    if (!isOpening(params)) return result;
    slow += 1;
    await sleep(6_000);
    return result;
  });
  service.workers.start();
  while (slow === 0) await sleep(50);
  // One after the other, they take 30 seconds.
  expect(await payment()).toBeLessThan(18_000);
  service.world.node().heal();
}, 240_000);

test("of several openings that an owner has no money for, one is tried at a time, at growing intervals", async () => {
  await service.workers.stop();
  await service.opened.sql`update vault_operations set state = 'failed' where state = 'waiting'`;
  await hopelessOpenings(6);
  let tries = 0;
  service.world.node().faults.answers.set("eth_call", (params, result) => {
    if (isOpening(params)) tries += 1;
    return result;
  });
  service.workers.start();
  await sleep(10_000);
  service.world.node().heal();
  // At once, after 2, after 4 more and after 8 more seconds.
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThanOrEqual(4);
}, 90_000);
