import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { amount } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { VAULT_FACTORY } from "@/lib/vaults/contracts";
import { releasedBy } from "@/lib/vaults/terms";
import type { Vault } from "./store";
import { signedVault } from "./terms";

export const vaultView = z.object({
  address: addressText,
  factory: addressText,
  funding: z.enum(["now", "permit"]).describe("permit: the money stays in the owner's wallet until it is needed"),
  state: z.enum(["opening", "open", "closing", "closed", "failed"]),
  failure: z.string().nullable().describe("Why it can never be opened, in words for the owner"),
  funded: amount.describe("What came in, as far as the contract counted it"),
  balance: amount,
  spent: amount.describe("What left, by the contract's count: payments, and what was returned to the owner"),
  returned: amount.describe(
    "What went back to the owner, from the vault and its pocket, as far as the chain was searched for it",
  ),
  released: amount.describe("What may have been spent by now, in all"),
  release: z.object({ amount, seconds: z.number() }).nullable(),
  agentKey: addressText.nullable().describe("A key that signs each payment as well"),
  payees: z.number().nullable().describe("How many addresses it may pay; null: any"),
  pocket: z
    .object({ address: addressText, balance: amount })
    .nullable()
    .describe(
      "The account through which it pays sellers that refuse contracts, with what is in it; null until one did",
    ),
  isRevoked: z.boolean().describe("Whether the owner revoked it on the chain"),
  readAtBlock: z
    .string()
    .nullable()
    .describe("The block whose state funded, balance, spent and isRevoked are; null: none was read yet"),
});

/** Null until the owner has signed the mandate with a vault. */
export function toVaultView(vault: Vault | null, now: Date): z.output<typeof vaultView> | null {
  if (!vault || vault.state === "proposed") return null;
  const { address, funding, terms } = signedVault(vault);
  return {
    address,
    factory: VAULT_FACTORY,
    funding,
    state: vault.state,
    failure: vault.failure,
    funded: vault.funded,
    balance: vault.balance,
    spent: vault.spent,
    returned: vault.returned,
    released: releasedBy(terms, unixSeconds(now)),
    release: terms.release,
    agentKey: terms.agent,
    payees: vault.payees?.length ?? null,
    pocket: vault.pocket === null ? null : { address: vault.pocket, balance: vault.pocketBalance },
    isRevoked: vault.isRevoked,
    readAtBlock: vault.readBlock?.toString() ?? null,
  };
}
