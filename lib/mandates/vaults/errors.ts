import { failures } from "@/lib/core/errors";

export const vaultErrors = failures({
  vault_unavailable: [
    "unprocessable",
    "Mandates have no vaults on this network here. Sign the mandate without mode, for the spending wallet",
  ],
  vault_not_ready: [
    "unavailable",
    "The mandate's vault is being opened, or is drawing the money for this payment. Send the same request again in a few seconds",
  ],
  vault_wallet_only: [
    "unprocessable",
    "This mandate's money is in a vault, which pays x402 payments in USDC only. For payouts and service credits, use a mandate of the spending wallet",
  ],
  insufficient_owner_funds: [
    "unprocessable",
    "The owner's wallet holds less USDC on this network than the vault would be funded with. Nothing was stored",
  ],
  funding_exceeds_limit: ["unprocessable", "A vault can be funded with at most the mandate's limit"],
  funding_window: [
    "unprocessable",
    "validBefore or deadline must be at least 30 seconds and at most one hour ahead, and not after the mandate's end. Read the typed data again",
  ],
});
