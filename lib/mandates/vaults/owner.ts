import { z } from "zod";
import type { MandateId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { canHaveVaults } from "@/lib/vaults/checks";
import { type VaultFile, vaultFile } from "@/lib/vaults/file";
import { fundingTypedData } from "@/lib/vaults/typed-data";
import { mapNetworks, type NetworkName } from "@/lib/x402/networks";
import { assertOwn } from "../access";
import { mandateErrors } from "../errors";
import * as mandates from "../store";
import { vaultTypedDataView } from "../typed-data";
import { vaultErrors } from "./errors";
import * as operations from "./operation-store";
import { draftView, fundingView } from "./schemas";
import { authorizationOf, proposal } from "./sign";
import * as store from "./store";
import { draftOf, type VaultDraft } from "./terms";

/** Vault data on an owner's pages, besides the mandate. */

/** A vault as in the API's typed data, and as the file that its owner keeps. */
type ShownVault = { draft: z.input<typeof draftView>; file: VaultFile };
type VaultOffer = ShownVault | "no_vaults" | "chain_down";

const describeVault = (draft: VaultDraft): ShownVault => ({
  draft: z.encode(draftView, draft),
  file: vaultFile(draft.terms),
});

/** Whether a mandate on this network can be signed with a vault; false while no node responds. */
export const offersVaults = (system: System, network: NetworkName): Promise<boolean> =>
  canHaveVaults(system, network).catch((error: unknown) => {
    if (error instanceof ChainUnavailable) return false;
    throw error;
  });

/** The vault that a claimed mandate would have after `change`. Throws as vaultTypedData does. */
export async function vaultOffer(
  ctx: Ctx<Owner>,
  id: MandateId,
  change: { confirmPayees?: boolean } = {},
): Promise<VaultOffer> {
  const parties = await mandates.findWithParties(ctx.db, id);
  if (!parties) throw mandateErrors.mandate_not_found();
  try {
    const { draft } = await proposal(ctx, id, { ...parties, mandate: { ...parties.mandate, ...change } });
    return describeVault(draft);
  } catch (error) {
    if (vaultErrors.vault_unavailable.is(error)) return "no_vaults";
    if (error instanceof ChainUnavailable) return "chain_down";
    throw error;
  }
}

type SignedData = ShownVault & {
  /** The data of the stored signature: the funding, or for a permit the mandate. */
  typedData: z.input<typeof fundingView> | z.input<typeof mandateWithVault>;
};

const mandateWithVault = vaultTypedDataView.extend({ vault: draftView });

/** The data that the owner of a mandate with a vault has signed. Null without a signed vault. Throws mandate_not_found. */
export async function signedVaultData(ctx: Ctx<Owner>, id: MandateId): Promise<SignedData | null> {
  const parties = await mandates.findWithParties(ctx.db, id);
  if (!parties) throw mandateErrors.mandate_not_found();
  const mandate = assertOwn(ctx.actor, parties.mandate);
  const opening = await operations.findOpening(ctx.db, id);
  if (!parties.vault?.owner || !opening) return null;
  const draft = draftOf(mandate, parties.vault.owner, parties.vault.signer);
  if (opening.amount === null || opening.validBefore === null) throw new Error(`the opening of ${id} is incomplete`);
  const typedData =
    opening.kind === "open_and_fund"
      ? z.encode(fundingView, {
          ...fundingTypedData(mandate.network, authorizationOf(draft, opening.amount, opening.validBefore)),
          vault: draft,
        })
      : z.encode(mandateWithVault, { ...draft.mandate, vault: draft });
  return { ...describeVault(draft), typedData };
}

type VaultTotal = { count: number; balance: Usdc };

/** The number of the owner's vaults that are not closed, and their balance at the last reading. */
export async function vaultTotals({ db, actor }: Ctx<Owner>): Promise<Record<NetworkName, VaultTotal>> {
  const sums = await store.sumsOf(db, actor.ownerId);
  return mapNetworks((network) => {
    const row = sums.find((sum) => sum.network === network);
    return { count: row?.count ?? 0, balance: row?.balance ?? ZERO };
  });
}
