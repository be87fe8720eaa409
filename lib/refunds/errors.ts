import { failures, type Remedies } from "@/lib/core/errors";

export const refundErrors = failures({
  PAYMENT_NOT_FOUND: ["not_found", "There is no such payment"],
  PAYMENT_NOT_SETTLED: ["conflict", "Only a settled payment can be refunded"],
  PAYMENT_NOT_FINAL: [
    "conflict",
    "The payment's block may still be replaced, so no money was moved. Approve the refund again in a few seconds",
  ],
  REFUND_EXCEEDS_PAYMENT: [
    "invalid",
    "The refund exceeds what can be given back of the payment: without other refunds, also those that wait for approval, and without calls of a pass that were answered or are under way",
  ],
  REFUND_BELOW_UNUSED: [
    "invalid",
    "A refund ends the pass that this payment bought, so it must give back what is unused of it: at least `leastAmount`. No money was moved",
  ],
  REFUND_NOT_FOUND: ["not_found", "There is no such refund"],
  REFUND_APPROVED: ["conflict", "The refund was already approved: its transfer is under way or can still be made"],
  REFUND_SETTLED: ["gone", "The refund is paid and cannot be cancelled or approved again"],
  REFUND_FAILED: ["gone", "The transfer of this refund failed and no money moved. Request a new refund"],
  REFUND_EXPIRED: ["gone", "The refund was not approved in time. Request a new one"],
  REFUND_CANCELLED: ["gone", "The refund was cancelled. Request a new one"],
  INSUFFICIENT_BALANCE: [
    "conflict",
    "The spending wallet on this network holds less than the refund beside the transfers under way from it. Add money to it first. No money was moved",
  ],
});

export const refundRemedies: Remedies = {
  refund_cancelled: {
    cause: "The refund was cancelled before it was approved. No money moved.",
    remedy: "Request a new refund of the same payment.",
  },
  refund_expired: {
    cause: "The refund was not approved in time. No money moved.",
    remedy: "Request a new refund of the same payment.",
  },
  refund_not_found: {
    cause: "The id is wrong, or the payment was to another owner.",
    remedy: "Read the payment with `GET /api/received-payments/{paymentId}`.",
  },
  refund_settled: {
    cause: "The chain shows the refund's transfer. It cannot be undone.",
    remedy: "Read the refund. Its `receiptUrl` shows the transfer to the buyer.",
  },
  payment_not_settled: {
    cause: "Only a settled payment can be refunded, and the chain does not show this payment yet.",
    remedy: "Read the payment again. Request the refund once `settlementStatus` is `settled`.",
  },
  payment_not_final: {
    cause: "The payment's block may still be replaced, and a refund must not be paid for a payment that is undone.",
    remedy: "No money was moved. Approve the refund again in a few seconds.",
  },
  refund_exceeds_payment: {
    cause:
      "The sum of this payment's refunds, including those that wait for approval, would exceed the payment; or, if it bought a pass, the part of it for calls that were not answered. `refundable` is what can still be given back.",
    remedy: "Cancel a refund that waits, and request what is left.",
  },
  refund_below_unused: {
    cause:
      "Whatever its amount, a refund ends the pass that the payment bought. Together with refunds that are paid, it must therefore give back the calls that are not answered, and the hours that were left when it was requested.",
    remedy:
      "Request a refund of at least `leastAmount`, in atomic units; cancel one that waits for less. If calls came back since the request, cancel it and request what is unused now.",
  },
  refund_approved: {
    cause: "The refund was approved before: its transfer is under way or can still be made.",
    remedy: "Read the refund. Do not request another one for the same reason.",
  },
  refund_failed: {
    cause: "The transfer of this refund failed for good: no money moved.",
    remedy: "Request a new refund.",
  },
};
