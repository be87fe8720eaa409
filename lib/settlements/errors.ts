import { failures } from "@/lib/core/errors";

export const settlementErrors = failures({
  INVALID_PAYMENT_HEADER: [
    "invalid",
    "The payment header is not base64 of an x402 payment with scheme exact. Send xPaymentB64 unchanged as X-Payment",
  ],
  SETTLEMENT_NOT_FOUND: ["not_found", "There is no such settlement"],
  PAYMENT_ALREADY_USED: [
    "conflict",
    "This payment proof was submitted before. Do not sign again for the same purchase: look at the settlement named here",
  ],
  PAYMENT_NOT_OVER_YET: [
    "unavailable",
    "The proof has run out by our clock, and the chain's clock has not got there: it can still be paid. Do not sign again: present it once more in some seconds",
  ],
  PAYER_OVER_GAS_BUDGET: [
    "limited",
    "This payer's contract has used more gas than we spend on one payer in an hour, for transfers that failed or were unusually heavy. Nothing was taken: pay from another account, or later",
  ],
  TOO_MANY_CONTRACT_PAYMENTS: [
    "limited",
    "Too many payments of accounts with code come from this address. Nothing was taken: present the proof again after the seconds in Retry-After",
  ],
  NO_RECEIPT: ["conflict", "This payment has failed and moved no money, so there is no receipt for it"],
  SETTLEMENT_UNKNOWN: [
    "unavailable",
    "It is not known whether this payment was taken. Do not sign again: ask for the settlement named here. When there is none, this request took nothing, but an earlier one with the same proof may have: present that proof once more, it is never taken twice",
  ],
  SETTLEMENT_FAILED: [
    "internal",
    "The transfer was not made; failureCode says why. The proof can still be paid until stillValidUntil; without that member, no money moved",
  ],
});

export const cancellationErrors = failures({
  SETTLEMENT_NOT_FOUND: ["not_found", "There is no such settlement"],
  PAYMENT_NOT_CANCELLABLE: [
    "conflict",
    "Only a payment that was not settled and can still be paid can be cancelled: read settlementStatus",
  ],
  CANCELLATION_SIGNATURE_INVALID: [
    "invalid",
    "The signature is not the payer's for the typed data of this cancellation",
  ],
});
