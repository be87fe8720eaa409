import type { z } from "zod";
import type { MandateView } from "@/lib/mandates/responses";
import type { draftView } from "@/lib/mandates/vaults/schemas";
import type { VaultFile } from "@/lib/vaults/file";

/** The vault that a mandate has or would have, as in the API's typed data. */
export type VaultDraft = z.input<typeof draftView>;
export type VaultView = NonNullable<MandateView["vault"]>;
export type VaultState = VaultView["state"];
export type ShownVault = { draft: VaultDraft; file: VaultFile };

/** The vault that the signing page offers instead of the spending wallet. */
export type Offer = ShownVault & {
  /** The owner's own wallet; null while the chain does not respond. */
  ownBalance: bigint | null;
};

/**
 * `vault_now`: a vault that the owner's signature funds. `vault_permit`: a vault that may draw from the owner's wallet. `wallet`: the
 * spending wallet.
 */
export type Place = "vault_now" | "vault_permit" | "wallet";
