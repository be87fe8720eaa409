import { expect, test } from "vitest";
import type { TestAgent } from "../support/actors";
import { freshAddress, owned } from "../support/mandates";
import { runService } from "../support/service";
import { eventually } from "../support/vault-mandates";
import { vaultsIn } from "../support/vault-service";

const service = runService();
const vaults = vaultsIn(service);

const DAY = "1 day";

/** A closed vault with a pocket. Nothing has it read but what happens on the chain. */
async function closeVault() {
  const vaultMandate = await vaults.opened();
  await vaults.refusedOnce(vaultMandate.agent, vaultMandate.mandateId);
  await vaults.paid(vaultMandate.agent, vaultMandate.mandateId, { payTo: freshAddress(), amount: "3000000" });
  await owned(vaultMandate.owner, vaultMandate.mandateId, "revoke");
  await eventually(
    async () => ((await vaults.rowOf(vaultMandate.mandateId)).state === "closed" ? true : null),
    "the vault is closed",
  );
  const { pocket } = await vaults.rowOf(vaultMandate.mandateId);
  const home = () => service.world.balanceOf(vaultMandate.owner.address);
  return { ...vaultMandate, pocket, home };
}

const returnedOf = async ({ agent, mandateId }: { agent: TestAgent; mandateId: string }): Promise<string> =>
  (await vaults.mandateOf(agent, mandateId)).vault.returned;

test("a seller's refund to a closed vault or its pocket is moved to the owner without any request", async () => {
  const vaultMandate = await closeVault();
  const { mandateId, vault, pocket, home } = vaultMandate;
  const balanceBefore = await home();
  expect(balanceBefore).toBe(9_990_000n);
  await service.world.mint(vault, 2_000_000n);
  await service.world.mint(pocket, 3_000_000n);
  await eventually(async () => ((await home()) === balanceBefore + 5_000_000n ? true : null), "the refunds are home");
  await eventually(
    async () => ((await vaults.rowOf(mandateId)).state === "closed" ? true : null),
    "it is closed again",
  );
  // What went home is counted as the chain has it, the return at the end included.
  await eventually(async () => ((await returnedOf(vaultMandate)) === "14990000" ? true : null), "the returns are seen");
});

test("a refund that arrived while the service was down is found in the blocks since, for up to 90 days after closing", async () => {
  const late = await closeVault();
  const early = await closeVault();
  await service.workers.stop();
  await service.opened
    .sql`update vaults set closed_at = closed_at - interval '89 days' where mandate_id = ${early.mandateId}`;
  await service.opened
    .sql`update vaults set closed_at = closed_at - interval '91 days' where mandate_id = ${late.mandateId}`;
  const balanceBefore = await early.home();
  await service.world.mint(late.vault, 2_000_000n);
  await service.world.mint(early.pocket, 2_000_000n);
  for (let block = 0; block < 5; block++) await service.world.mine();
  service.workers.start();
  await eventually(
    async () => ((await early.home()) === balanceBefore + 2_000_000n ? true : null),
    "the refund is home",
  );
  expect(await service.world.balanceOf(late.vault)).toBe(2_000_000n);
});

test("a refund that is not worth its gas waits in a closed vault for a day at most", async () => {
  const { mandateId, vault, home } = await closeVault();
  const balanceBefore = await home();
  await service.world.mint(vault, 5n);
  await eventually(async () => ((await vaults.rowOf(mandateId)).balance === "5" ? true : null), "the dust is seen");
  expect((await vaults.rowOf(mandateId)).state).toBe("closed");
  const { sql } = service.opened;
  await sql`update vault_operations set created_at = created_at - ${DAY}::interval where mandate_id = ${mandateId}`;
  await sql`update vaults set read_at = read_at - ${DAY}::interval where mandate_id = ${mandateId}`;
  await eventually(async () => ((await home()) === balanceBefore + 5n ? true : null), "the dust is home");
});

test("money that a vault returned before the service first searched for transfers is counted", async () => {
  const vaultMandate = await closeVault();
  await eventually(async () => ((await returnedOf(vaultMandate)) === "9990000" ? true : null), "the return is seen");
  await service.workers.stop();
  const { sql } = service.opened;
  await sql`delete from vault_searches`;
  await sql`delete from vault_returns where mandate_id = ${vaultMandate.mandateId}`;
  await sql`update vaults set returned = 0 where mandate_id = ${vaultMandate.mandateId}`;
  service.workers.start();
  await eventually(
    async () => ((await returnedOf(vaultMandate)) === "9990000" ? true : null),
    "the return is seen again",
  );
});
