import { ownerActions, type Rpc, readVault, vaultOf } from "@tessera/client/vault";
import { expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { signedVaultData } from "@/lib/mandates/vaults/owner";
import { countCall } from "@/lib/vaults/calls";
import { VAULT_CONTRACTS, type VaultVersion } from "@/lib/vaults/contracts";
import { call } from "../support/http";
import { freshAddress, type Json, owned } from "../support/mandates";
import { runService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimed, claimOf, eventually, vaultData, vaultSignatures } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

const service = runService();
const vaults = vaultsIn(service);

type Opened = Awaited<ReturnType<typeof vaults.opened>>;

const choose = (version: VaultVersion) => service.restart({ VAULT_FACTORY: VAULT_CONTRACTS[version].factory.address });

/** A node, as the owner's wallet asks it. */
const wallet: Rpc = (method, params) => service.world.client().request({ method, params } as never);

const factoryOf = async ({ agent, mandateId }: Opened) =>
  (await vaults.mandateOf(agent, mandateId)).vault.factory as Address;

/** What the owner's file and signature say, as the pages show them. */
async function signedOf({ owner, mandateId }: Opened) {
  const [row] = await service.opened.sql`select owner_id from mandates where id = ${mandateId}`;
  const actor = { type: "owner" as const, ownerId: row?.owner_id, address: owner.address };
  const signed = await signedVaultData({ ...service.opened.system, actor } as never, mandateId as never);
  if (!signed) throw new Error("not signed");
  return signed;
}

async function pays({ agent, mandateId }: Opened): Promise<void> {
  const payTo = freshAddress();
  const resource = `https://shop-${payTo.slice(2, 10).toLowerCase()}.example/x`;
  const { body } = await vaults.paid(agent, mandateId, { payTo, amount: "1000000", resource });
  await submitDirectly(service.world, claimOf(body));
  expect(await service.world.balanceOf(payTo)).toBe(1_000_000n);
}

/** Whether the transaction works when a stranger sends it. */
async function strangerCounts(vault: Address): Promise<boolean> {
  const { to, data } = countCall(vault);
  const sent = { account: service.payer(8).address, chain: null, to, data, gas: 200_000n };
  const hash = await service.world.client().sendTransaction(sent);
  await service.world.mine();
  return (await service.world.client().waitForTransactionReceipt({ hash })).status === "success";
}

test("vaults of the first version live on beside those of the second, which new mandates get", async () => {
  await choose(1);
  const old = await vaults.opened();
  const unsigned = await claimed();
  await service.world.mint(unsigned.owner.address, 10_000_000n);
  const overFirst = await vaultSignatures(unsigned.owner, unsigned.mandateId);

  await choose(2);
  const path = `/api/mandates/${unsigned.mandateId}/signature`;
  const refused = await call("POST", path, { session: unsigned.owner.session, json: overFirst });
  expect(outcome(refused)).toEqual([422, "signature_invalid"]);
  expect(await vaults.rowOf(unsigned.mandateId)).toMatchObject({ state: "proposed", contract_version: null });
  const { body } = (await vaultData(unsigned.owner, unsigned.mandateId)) as { body: Json };
  expect(body.vault.terms.contractVersion).toBe(2);
  const again = await vaultSignatures(unsigned.owner, unsigned.mandateId);
  expect((await owned(unsigned.owner, unsigned.mandateId, "signature", again)).vault.factory).toBe(
    VAULT_CONTRACTS[2].factory.address,
  );

  const fresh = await vaults.opened();
  const both = [
    [1, old],
    [2, fresh],
  ] as const;
  for (const [version, opened] of both) {
    const { address } = VAULT_CONTRACTS[version].factory;
    expect(await factoryOf(opened)).toBe(address);
    expect((await vaults.rowOf(opened.mandateId)).contract_version).toBe(version);
    const { draft, file } = await signedOf(opened);
    expect([draft.address, draft.mandate.message.vaultFactory]).toEqual([opened.vault, address]);
    const saved = vaultOf(JSON.stringify(file));
    expect(saved.address).toBe(opened.vault);
    expect((await readVault(wallet, saved)).code).toBe("open");
    expect(ownerActions(saved).find(({ name }) => name === "open")?.to).toBe(address);
    await pays(opened);
  }

  // More than a dollar from a stranger stops payments. The service has both counted.
  for (const [, { mandateId, vault }] of both) {
    await service.world.mint(vault, 3_000_000n);
    await eventually(async () => {
      await vaults.readAgain(mandateId);
      return (await vaults.operationsOf(mandateId)).includes("count done") ? true : null;
    }, "the stranger's money is counted");
  }
  for (const [, opened] of both) await pays(opened);
  expect([await strangerCounts(old.vault), await strangerCounts(fresh.vault)]).toEqual([true, false]);
  for (const [, { owner, mandateId, vault }] of both) {
    await owned(owner, mandateId, "revoke", {});
    await vaults.isIn(mandateId, "closed");
    expect(await service.world.balanceOf(vault)).toBe(0n);
  }
});
