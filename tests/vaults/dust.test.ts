import { expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { freshAddress, pay } from "../support/mandates";
import { shareService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimOf, eventually } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

const service = shareService();
const vaults = vaultsIn(service);

const returnsOf = async (id: string) => (await vaults.operationsOf(id)).filter((one) => one.startsWith("return"));

/** A used-up vault, which has sent home what was left. */
async function exhausted() {
  const vaultMandate = await vaults.opened({ limitAmount: "10000" }, { amount: "10000" });
  const { body } = await vaults.paid(vaultMandate.agent, vaultMandate.mandateId, {
    payTo: freshAddress(),
    amount: "10000",
  });
  await submitDirectly(service.world, claimOf(body));
  await eventually(async () => {
    const { committed } = await vaults.readAgain(vaultMandate.mandateId);
    return committed === "10000" ? true : null;
  }, "the payment is seen");
  return vaultMandate;
}

/** Sends it some more, and waits until it was read. */
async function dusted(id: string, to: Address, sum: bigint, column = "balance") {
  const valueBefore = (await vaults.rowOf(id))[column];
  await service.world.mint(to, sum);
  await eventually(
    async () => ((await vaults.readAgain(id))[column] !== valueBefore ? true : null),
    "the dust is read",
  );
}

test("a tiny amount in a used-up vault goes to the owner at most once a day, and only if it is worth the gas", async () => {
  const { mandateId, vault } = await exhausted();
  await service.world.mint(vault, 1n);
  await vaults.eventuallyHas(mandateId, ["open_and_fund done", "return done"]);
  for (let round = 0; round < 3; round++) await dusted(mandateId, vault, 1n);
  expect([await returnsOf(mandateId), await service.world.balanceOf(vault)]).toEqual([["return done"], 3n]);
  // 0.01 USDC the second time, twice as much the third.
  await service.world.mint(vault, 10_000n);
  await vaults.eventuallyHas(mandateId, ["open_and_fund done", "return done", "return done"]);
  await dusted(mandateId, vault, 10_000n);
  expect([(await returnsOf(mandateId)).length, await service.world.balanceOf(vault)]).toEqual([2, 10_000n]);
  await service.opened
    .sql`update vault_operations set created_at = created_at - interval '1 day' where mandate_id = ${mandateId}`;
  await vaults.eventuallyHas(mandateId, ["open_and_fund done", "return done", "return done", "return done"]);
  expect(await service.world.balanceOf(vault)).toBe(0n);
});

test("a tiny amount in an idle pocket is moved at most once a day", async () => {
  const { agent, mandateId } = await vaults.opened();
  await vaults.refusedOnce(agent, mandateId);
  expect(outcome(await pay(agent, mandateId))).toEqual([503, "vault_not_ready"]);
  const { body } = await vaults.paid(agent, mandateId);
  await submitDirectly(service.world, claimOf(body));
  await service.opened
    .sql`update vault_operations set created_at = created_at - interval '11 minutes' where mandate_id = ${mandateId}`;
  const { pocket } = await vaults.rowOf(mandateId);
  const operationsBefore = await vaults.operationsOf(mandateId);
  await service.world.mint(pocket, 1n);
  await vaults.eventuallyHas(mandateId, [...operationsBefore, "empty_pocket done"]);
  for (let round = 0; round < 3; round++) await dusted(mandateId, pocket, 1n, "pocket_balance");
  expect(await vaults.operationsOf(mandateId)).toEqual([...operationsBefore, "empty_pocket done"]);
});

test("a vault draws what a payment needs although a stranger sends it one atomic unit in each block", async () => {
  const { agent, mandateId, vault } = await vaults.opened({}, { funding: "permit" });
  let isOver = false;
  const dusting = (async () => {
    while (!isOver) {
      await service.world.mint(vault, 1n);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  })();
  try {
    const { body } = await vaults.paid(agent, mandateId, { payTo: freshAddress(), amount: "4000000" });
    await submitDirectly(service.world, claimOf(body));
  } finally {
    isOver = true;
    await dusting;
  }
});
