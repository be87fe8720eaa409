import { failures } from "@/lib/core/errors";

export const refundErrors = failures({
  PAYMENT_NOT_FOUND: ["not_found", "There is no such payment"],
  PAYMENT_NOT_SETTLED: ["conflict", "Only a settled payment can be refunded"],
  PAYMENT_NOT_FINAL: [
    "conflict",
    "The payment's block may still be replaced, so no money was moved. Approve the refund again in a few seconds",
  ],
  REFUND_EXCEEDS_PAYMENT: [
    "invalid",
    "The refund exceeds what is left of the payment; refunds that wait for approval count too",
  ],
  REFUND_NOT_FOUND: ["not_found", "There is no such refund"],
  REFUND_APPROVED: ["conflict", "The refund was already approved: its transfer is under way or can still be made"],
  REFUND_SETTLED: ["gone", "The refund is paid and cannot be cancelled or approved again"],
  REFUND_FAILED: ["gone", "The transfer of this refund failed and no money moved. Request a new refund"],
  REFUND_EXPIRED: ["gone", "The refund was not approved in time. Request a new one"],
  REFUND_CANCELLED: ["gone", "The refund was cancelled. Request a new one"],
  INSUFFICIENT_BALANCE: [
    "conflict",
    "The spending wallet on this network holds less than the refund. Add money to it first. No money was moved",
  ],
});
