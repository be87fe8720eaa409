import type { Remedy } from "./remedy";

const NEVER_TWICE = "Do not sign another proof before you know how this one ended ([retry rules](/docs/retry-rules)).";

/** Of proofs that are presented, and their settlements. */
export const OF_PROOFS: Record<string, Remedy> = {
  payment_already_used: {
    cause:
      "The same proof was presented before: perhaps by you, in a request whose answer was lost, or by someone else who saw it. It can be paid once, and has one settlement.",
    remedy: `Read \`GET /api/settlements/{settlementId}\` with the \`settlementId\` of this error. ${NEVER_TWICE}`,
  },
  payment_not_over_yet: {
    cause:
      "The proof has expired by our clock. By the chain's clock, which may be some seconds behind, it can still be paid, so we cannot tell you that it is over.",
    remedy: `Present the same proof again in a few seconds. ${NEVER_TWICE}`,
  },
  payer_over_gas_budget: {
    cause:
      "The payer is a contract whose transfers failed, or used unusually much gas, and the relayer has spent its hourly budget for this payer.",
    remedy:
      "This request took no payment. Pay from an account without code, or present the proof again in an hour if it is still valid then.",
  },
  too_many_contract_payments: {
    cause: "Many payments by accounts with code came from one address in a short time. Each needs its own transaction.",
    remedy: "This request took no payment. Present the same proof again after `Retry-After` seconds.",
  },
  settlement_unknown: {
    cause:
      "The database or this process failed while the proof was being claimed. The claim may have been written or not.",
    remedy: `Read the settlement in \`settlementId\`. If there is none, present the same proof once more: it is never taken twice. ${NEVER_TWICE}`,
  },
  settlement_failed: {
    cause:
      "The transfer was not made. `failureCode` says why: `INSUFFICIENT_FUNDS` (the payer has too little USDC), `EXPIRED`, `CANCELED`, `ALREADY_USED`, `INVALID_SIGNATURE`, `ACCOUNT_BLOCKED` or `TOKEN_PAUSED` (by the issuer of USDC), `GAS_BUDGET_SPENT`, `GROUP_FAILED`, `UNSENDABLE`, `REVERTED`.",
    remedy: `With \`stillValidUntil\` the proof can still be paid until then: wait, then read the settlement, or cancel it first. Without \`stillValidUntil\` no money moved and none can, and a new proof is safe. If it was \`INSUFFICIENT_FUNDS\`, first add USDC to the payer: the owner of an agent does that in *Dashboard, Wallet*, and \`GET /api/agent/self/status\` shows what the wallet holds. ${NEVER_TWICE}`,
  },
  settlement_not_found: {
    cause: "There is no settlement with this id, or the proof that you presented was never claimed.",
    remedy: "If you have the id from a `SETTLEMENT_UNKNOWN` error, present the same proof once more.",
  },
  no_receipt: {
    cause: "The payment failed for good: no money moved, and none can. A receipt states a transfer.",
    remedy: "A new payment is safe.",
  },
  payment_not_cancellable: {
    cause:
      "Only a payment that we stopped submitting and that can still be paid can be cancelled. This one is on its way, settled, or over.",
    remedy: "Read `settlementStatus` of the settlement.",
  },
  payment_expired: {
    cause: "The proof's `validBefore` has passed on the chain. It can no longer move money.",
    remedy:
      "If no earlier request presented this proof, sign a new one. Otherwise read that settlement first. Present proofs at once, or request a longer `validityWindowSeconds`.",
  },
  payment_resource_mismatch: {
    cause: "The query of this link's URL says what is bought, and the proof names another URL than the request.",
    remedy: "Request the URL of your order, sign for the `resource` of its 402, and send the proof to the same URL.",
  },
  payment_insufficient: {
    cause:
      "The proof is for less or more than the price. Proofs of the scheme `exact` pay exactly `maxAmountRequired`.",
    remedy:
      "Request the resource again, and sign the amount that `accepts` states now. The refused proof can be paid by anyone who saw it until it expires; do not send it elsewhere.",
  },
  payment_credential_invalid: {
    cause:
      "The credential of the Machine Payments Protocol is not of type `authorization`, its challenge was issued for another URL or was changed, its nonce is not derived from the challenge, or `validBefore` is after the challenge's `expires`.",
    remedy: "Answer the challenge in the `WWW-Authenticate` of this response, unchanged. Nothing was taken.",
  },
  invalid_payment_header: {
    cause: "The header is not base64 of an x402 payment with scheme `exact` and an EIP-3009 authorization.",
    remedy: "Send `xPaymentB64` unchanged as `X-Payment`, or `paymentPayloadB64` as `PAYMENT-SIGNATURE`.",
  },
};

/** Of what is for sale. */
export const OF_OFFERS: Record<string, Remedy> = {
  unsupported_scheme: {
    cause:
      "The wallet signs fixed amounts only: the scheme `exact` with an EIP-3009 authorization. The seller wants something else, for example `upto` (a maximum, of which it takes what it chooses) or `exact` by Permit2. Nothing was signed, and nothing is reserved.",
    remedy: "Choose an offer with `exact` from `accepts`. If there is none, this wallet cannot pay this seller.",
  },
  sign_in_not_bought: {
    cause:
      "The challenge is ours and fresh, but the wallet named in it did not sign it, or none of its payments for this URL has settled or still can.",
    remedy:
      "Sign with the account that paid, on the network of the link. To read a payment whose result you do not know, read its settlement first: paying again buys again.",
  },
};
