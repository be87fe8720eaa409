import type { z } from "zod";
import type { MandateView } from "@/lib/mandates/responses";
import type { draftView } from "@/lib/mandates/vaults/schemas";
import type { VaultFile } from "@/lib/vaults/file";

/** The vault that a mandate has, or would have, as the API's typed data has it. */
export type VaultDraft = z.input<typeof draftView>;
export type VaultView = NonNullable<MandateView["vault"]>;
export type VaultState = VaultView["state"];
export type ShownVault = { draft: VaultDraft; file: VaultFile };

/** What the signing page offers beside the spending wallet. */
export type Offer = ShownVault & {
  /** The owner's own wallet; null while the chain does not respond. */
  ownBalance: bigint | null;
};

/** Where the money of a mandate is: in a vault that the owner's signature funds or lets draw, or in the spending wallet. */
export type Place = "vault_now" | "vault_permit" | "wallet";
