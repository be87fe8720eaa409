import { failures, type Remedies } from "@/lib/core/errors";
import { screeningErrors } from "@/lib/screening/errors";

export const settlementErrors = failures({
  INVALID_PAYMENT_HEADER: [
    "invalid",
    "The payment header is not base64 of an x402 payment with scheme exact. Send xPaymentB64 unchanged as X-Payment",
  ],
  SETTLEMENT_NOT_FOUND: ["not_found", "There is no such settlement"],
  PAYMENT_ALREADY_USED: [
    "conflict",
    "This payment proof was already submitted. Do not sign again for the same purchase: read its settlement (settlementId)",
  ],
  PAYMENT_IDENTIFIER_INVALID: [
    "invalid",
    "The id of the extension payment-identifier must have 16 to 128 letters, digits, hyphens or underscores",
  ],
  PAYMENT_IDENTIFIER_REUSED: [
    "conflict",
    "You used this payment identifier for another proof or another purchase. To read that purchase, send its proof again; for a new purchase, choose a new id and sign a new proof",
  ],
  PAYMENT_NOT_OVER_YET: [
    "unavailable",
    "The proof has expired by our clock but not by the chain's clock, so it can still be paid. Do not sign again: present the same proof again in a few seconds",
  ],
  PAYER_OVER_GAS_BUDGET: [
    "limited",
    "This payer has exceeded the hourly gas limit for one payer, with transfers that failed or were unusually heavy. No payment was taken: pay from another account, or later",
  ],
  TOO_MANY_CONTRACT_PAYMENTS: [
    "limited",
    "Too many payments by contract accounts came from this address. No payment was taken: present the proof again after the number of seconds in Retry-After",
  ],
  NO_RECEIPT: ["conflict", "This payment failed and no money moved, so there is no receipt"],
  SETTLEMENT_UNKNOWN: [
    "unavailable",
    "We could not determine whether this payment was taken. Do not sign again: read the settlement in settlementId. If it does not exist, this request took nothing, but an earlier one with the same proof may have: present that proof once more, it is never taken twice",
  ],
  SETTLEMENT_FAILED: [
    "internal",
    "The transfer was not made; failureCode gives the reason. The proof can still be paid until stillValidUntil; without that field, no money moved",
  ],
});

const { SETTLEMENT_NOT_FOUND: _, NO_RECEIPT: __, ...ofProofs } = settlementErrors.table;

/** Errors of a resource paid by x402. SETTLEMENT_FAILED is one of its responses. */
export const proofErrors = { ...ofProofs, ...screeningErrors.table };

const { PAYMENT_ALREADY_USED, SETTLEMENT_UNKNOWN } = settlementErrors.table;

/** Errors of claiming an authorization that the service signed. */
export const transferErrors = { PAYMENT_ALREADY_USED, SETTLEMENT_UNKNOWN };

export const cancellationErrors = failures({
  SETTLEMENT_NOT_FOUND: ["not_found", "There is no such settlement"],
  PAYMENT_NOT_CANCELLABLE: [
    "conflict",
    "Only a payment that we stopped submitting and that can still be paid can be cancelled. Read settlementStatus",
  ],
  CANCELLATION_SIGNATURE_INVALID: [
    "invalid",
    "The signature is not the payer's signature of this cancellation's typed data",
  ],
});

export const settlementRemedies: Remedies = {
  cancellation_signature_invalid: {
    cause: "Only the payer can cancel an authorization, by signing this cancellation.",
    remedy: "Sign the typed data that the settlement gives, with the account that signed the payment.",
  },
  payment_already_used: {
    cause:
      "The same proof was presented before: perhaps by you, in a request whose answer was lost, or by someone else who saw it. It can be paid once, and has one settlement.",
    remedy:
      "Read `GET /api/settlements/{settlementId}` with the `settlementId` of this error. Do not sign another proof before you know how this one ended ([retry rules](/docs/retry-rules)).",
  },
  payment_not_over_yet: {
    cause:
      "The proof has expired by our clock. By the chain's clock, which may be some seconds behind, it can still be paid, so the payment is not over yet.",
    remedy:
      "Present the same proof again in a few seconds. Do not sign another proof before you know how this one ended ([retry rules](/docs/retry-rules)).",
  },
  payer_over_gas_budget: {
    cause:
      "Transfers of this payer, an account or a contract, failed or used unusually much gas, and the relayer has spent its hourly budget for this payer.",
    remedy:
      "This request took no payment. Pay from another account, or present the proof again in an hour if it is still valid then.",
  },
  too_many_contract_payments: {
    cause: "Many payments by accounts with code came from one address in a short time. Each needs its own transaction.",
    remedy: "This request took no payment. Present the same proof again after `Retry-After` seconds.",
  },
  settlement_unknown: {
    cause:
      "The database or this process failed while the proof was being claimed. The claim may have been written or not.",
    remedy:
      "Read the settlement in `settlementId`. If there is none, present the same proof once more: it is never taken twice. Do not sign another proof before you know how this one ended ([retry rules](/docs/retry-rules)).",
  },
  settlement_failed: {
    cause:
      "The transfer was not made. `failureCode` says why: `INSUFFICIENT_FUNDS` (the payer has too little USDC), `EXPIRED`, `CANCELED`, `ALREADY_USED`, `INVALID_SIGNATURE`, `ACCOUNT_BLOCKED` or `TOKEN_PAUSED` (by the issuer of USDC), `GAS_BUDGET_SPENT`, `GROUP_FAILED`, `UNSENDABLE`, `REVERTED`.",
    remedy:
      "With `stillValidUntil` the proof can still be paid until then: wait, then read the settlement, or cancel it first. Without `stillValidUntil` no money moved and none can, and a new proof is safe. If it was `INSUFFICIENT_FUNDS`, first add USDC to the payer: the owner of an agent does that in *Dashboard, Wallet*, and `GET /api/agent/self/status` shows what the wallet holds. Do not sign another proof before you know how this one ended ([retry rules](/docs/retry-rules)).",
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
  invalid_payment_header: {
    cause: "The header is not base64 of an x402 payment with scheme `exact` and an EIP-3009 authorization.",
    remedy: "Send `xPaymentB64` unchanged as `X-Payment`, or `paymentPayloadB64` as `PAYMENT-SIGNATURE`.",
  },
  payment_identifier_invalid: {
    cause: "The id in the extension `payment-identifier` is too short, too long, or has other characters.",
    remedy: "Use 16 to 128 letters, digits, hyphens and underscores. A UUID fits.",
  },
  payment_identifier_reused: {
    cause: "An id identifies one payment. You already sent it with another proof or for another purchase.",
    remedy:
      "To read what was bought, send the proof of that payment again. For a new purchase, choose a new id and sign a new proof.",
  },
};
