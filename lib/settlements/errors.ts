import { failures } from "@/lib/core/errors";

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
    "You used this payment identifier for another proof or another purchase. To read what that one bought, send its proof again; for a new purchase, choose a new id and sign a new proof",
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
export const proofErrors = ofProofs;

const { PAYMENT_ALREADY_USED, SETTLEMENT_UNKNOWN } = settlementErrors.table;

/** What the claim of an authorization that the service signed can throw. */
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
