import { failures } from "@/lib/core/errors";

export const vaultErrors = failures({
  mandate_has_no_vault: [
    "conflict",
    "This mandate was not signed with a vault. POST /api/mandates/{mandateId}/revoke without vaultSignature revokes it",
  ],
  mandate_has_vault: ["conflict", "The money of this mandate is in a vault already"],
  vault_unavailable: [
    "unprocessable",
    "Mandates have no vaults on this network here. Sign the mandate without mode, for the spending wallet",
  ],
  vault_openings_used: [
    "limited",
    "Opening a vault costs gas, which this service pays for a number of vaults a day. Nothing was stored. Sign again after Retry-After seconds, or without mode, for the spending wallet",
  ],
  vault_not_ready: [
    "unavailable",
    "The mandate's vault is being opened, or is drawing the money for this payment. Send the same request again in a few seconds",
  ],
  vault_wallet_only: [
    "unprocessable",
    "This mandate's money is in a vault, which pays x402 payments in USDC only. For payouts and service credits, use a mandate of the spending wallet",
  ],
  vault_failed: [
    "forbidden",
    "The vault of this mandate could not be opened; failure says why. Create a new mandate with POST /api/mandates/create-intent",
  ],
  vault_not_funded: [
    "unprocessable",
    "The vault holds too little USDC for this payment, and can draw no more. The owner has to add USDC to their wallet, or sign another mandate",
  ],
  vault_not_released: [
    "unprocessable",
    "The mandate releases its limit in parts, and what is released by now does not cover this payment. Send the same request again at availableAt",
  ],
  payee_not_listed: [
    "forbidden",
    "The owner named the addresses that this mandate can pay, and payTo is none of them. Ask the owner for another mandate",
  ],
  contract_payer_refused: [
    "unprocessable",
    "This seller refuses payments by contracts, and nothing else keeps the agent's key or the list of payees of this mandate's vault. Use a mandate of the spending wallet, or one with a vault without both",
  ],
  pocket_busy: [
    "unprocessable",
    "This seller refuses payments by contracts, so it is paid through an account of the vault's, one payment at a time. An earlier payment, or a proof that the seller refused, can still be paid until availableAt, or the agent has let the account be filled and paid nothing. Send the same request again then",
  ],
  agent_authorization_required: [
    "unprocessable",
    "The mandate names a key of the agent, which signs each payment as well. Sign typedData with it, and send validAfter, validBefore, nonce and signature as agentAuthorization",
  ],
  agent_authorization_invalid: [
    "unprocessable",
    "agentAuthorization is not a signature by the agent's key of exactly this payment from the vault, or it is not valid now, for an hour at most and not after the mandate's end. typedData is what to sign",
  ],
  agent_authorization_unexpected: [
    "unprocessable",
    "This mandate names no key of the agent. Leave agentAuthorization out",
  ],
  agent_nonce_used: [
    "conflict",
    "The nonce of agentAuthorization was used for another payment of this vault. GET /api/payments lists it; sign a new payment with another nonce only if you want to pay again",
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
