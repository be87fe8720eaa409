import type { Address } from "@/lib/core/address";
import { type Terms, vaultAddress } from "./terms";

/** The file that an owner keeps: with it, `vault-exit.html` and `tessera vault` work without the service. Amounts are strings. */
export type VaultFile = { address: Address; terms: Record<keyof Terms, unknown> };

export const vaultFile = (terms: Terms): VaultFile => ({
  address: vaultAddress(terms),
  terms: {
    ...terms,
    limit: String(terms.limit),
    perPayment: terms.perPayment === null ? null : String(terms.perPayment),
    release: terms.release && { amount: String(terms.release.amount), seconds: terms.release.seconds },
  },
});
