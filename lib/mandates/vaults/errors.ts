import { failures, type Remedies } from "@/lib/core/errors";

export const vaultErrors = failures({
  mandate_has_no_vault: [
    "conflict",
    "This mandate was not signed with a vault. POST /api/mandates/{mandateId}/revoke without vaultSignature revokes it",
  ],
  mandate_has_vault: ["conflict", "The money of this mandate is in a vault already"],
  vault_unavailable: [
    "unprocessable",
    "Vaults are not available on this network. Sign the mandate without mode, for the spending wallet",
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
    "This seller refuses payments by contracts, and only the contract can enforce the agent's key or the list of payees of this vault. Use a mandate of the spending wallet, or one whose vault has neither",
  ],
  pocket_busy: [
    "unprocessable",
    "This seller refuses payments by contracts, so it is paid through an account that we keep for the vault, one payment at a time. An earlier payment, or a proof that the seller refused, can still be paid until availableAt, or the agent had the account filled and paid nothing. Send the same request again at availableAt",
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

export const vaultRemedies: Remedies = {
  mandate_has_no_vault: {
    cause: "The request is about the vault of a mandate that was signed for the spending wallet.",
    remedy:
      "Revoke it without `vaultSignature`. To give what is left a vault: `POST /api/mandates/{mandateId}/move-to-vault`.",
  },
  mandate_has_vault: {
    cause: "The mandate was signed with a vault, so there is nothing to move.",
    remedy: "To use other terms, revoke it and sign another one.",
  },
  vault_unavailable: {
    cause:
      "The vault contracts are not deployed on the mandate's network, or this service does not use them there (`VAULT_FACTORY`). Or the mandate's limit, or the `amount` that would fund the vault, is below the least that a vault is opened for (`VAULT_OPENING_MIN`, 0.01 USDC by default); the message then says so.",
    remedy: "Sign the mandate without `mode`, for the spending wallet.",
  },
  vault_openings_used: {
    cause:
      "The owner has signed as many mandates with vaults in a day as the service opens for one owner (`vault_opening_per_owner`, 20 by default). Each opening costs it gas.",
    remedy:
      "Nothing was stored. Sign after `Retry-After` seconds, or for the spending wallet now. One mandate with a larger limit needs one vault.",
  },
  vault_not_ready: {
    cause:
      "The vault is being opened, is drawing money from the owner's wallet, is counting what others sent, or is filling its pocket. This takes a few blocks.",
    remedy: "Nothing was signed. Send the same request again after `Retry-After` seconds.",
  },
  vault_wallet_only: {
    cause: "Payouts and service credits are paid from the spending wallet; the money of this mandate is in a vault.",
    remedy: "Use a mandate of the spending wallet, or propose one that lists `payout`.",
  },
  vault_failed: {
    cause:
      "The chain refused to open the vault for good: `failure` says why, for example that the owner's signature ended first. The mandate pays nothing.",
    remedy: "Propose a new mandate. Show its owner `failure`, so that it does not happen again.",
  },
  vault_not_funded: {
    cause:
      "The vault holds less than the payment and what else it has signed. `missing` is what it lacks. With a permit, the owner's wallet (`ownerBalance`) or what the vault may still draw (`allowance`) is too small.",
    remedy:
      "Nothing was signed. The owner adds USDC to their own wallet, or signs another mandate. A vault that was funded at once accepts no more.",
  },
  vault_not_released: {
    cause: "The contract releases the limit in parts, and what is released by now is spent or signed for.",
    remedy: "Nothing was signed. Send the same request again at `availableAt`.",
  },
  payee_not_listed: {
    cause: "The terms of the vault name the addresses that it can pay. `payTo` is none of them, and none can be added.",
    remedy: "Check the address. If it is right, propose another mandate.",
  },
  contract_payer_refused: {
    cause:
      "The seller's facilitator verifies signatures of ordinary accounts only. A vault can pay such a seller through its pocket, but not if its terms have a list of payees or a key of the agent: the pocket would keep neither.",
    remedy:
      "Nothing was signed. Use a mandate of the spending wallet for this seller, or one with a vault without both ([why](/docs/vault-or-wallet#sellers-that-refuse-contracts)).",
  },
  pocket_busy: {
    cause:
      "A seller that refuses contracts is paid through the vault's pocket, one payment at a time. Until `availableAt`, an earlier payment of the pocket can still be made, or a proof of a vault that was signed for this seller. Or the agent has let the pocket be filled several times and paid nothing: then each further time waits twice as long.",
    remedy: "Nothing was signed. Send the same request again at `availableAt`.",
  },
  agent_authorization_required: {
    cause: "The terms of the vault name a key of the agent. The vault pays only what that key has signed as well.",
    remedy:
      "Check that `typedData` is your payment from `vault`, sign it with the agent's key, and send the same request with `agentAuthorization`. `withAgentKey` of the client and `npx tessera mcp` do that. The key must not leave the agent's process.",
  },
  agent_authorization_invalid: {
    cause:
      "The signature is by another key or of other values than this payment, or `validBefore` is over, more than an hour ahead, or after the mandate's end.",
    remedy: "Sign the new `typedData` of this error.",
  },
  agent_authorization_unexpected: {
    cause: "`agentAuthorization` was sent for a mandate that names no key of the agent.",
    remedy: "Leave it out. To have payments signed by the agent as well, propose a mandate with `vault.agentKey`.",
  },
  agent_nonce_used: {
    cause: "A payment with this nonce was signed before: perhaps by the same request, whose answer was lost.",
    remedy:
      "Look for it in `GET /api/payments`. Sign a new authorization with another nonce only if you want to pay a second time.",
  },
  insufficient_owner_funds: {
    cause: "The signature would move more USDC into the vault than the owner's own wallet holds on that network.",
    remedy:
      "Nothing was stored. Add USDC to the owner's wallet, read the typed data with a lower `amount`, or sign a permit.",
  },
  funding_exceeds_limit: {
    cause: "`amount` is above the mandate's limit. The vault could not spend the rest.",
    remedy: "Leave `amount` out to move in the limit, or name less.",
  },
  funding_window: {
    cause: "The signature that funds the vault ends too soon, too late, or after the mandate.",
    remedy: "Read the typed data again and sign within a few minutes.",
  },
};
