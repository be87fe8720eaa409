import { failures } from "@/lib/core/errors";

export const refundErrors = failures({
  PAYMENT_NOT_FOUND: ["not_found", "There is no such payment"],
  PAYMENT_NOT_SETTLED: ["conflict", "Only a payment that is settled can be refunded"],
  PAYMENT_NOT_FINAL: [
    "conflict",
    "The block of this payment may still be replaced, so nothing was moved. Approve the refund again in some seconds",
  ],
  REFUND_EXCEEDS_PAYMENT: [
    "invalid",
    "The refund is more than is left of the payment; refunds that wait for their approval count too",
  ],
  REFUND_NOT_FOUND: ["not_found", "There is no such refund"],
  REFUND_APPROVED: ["conflict", "The refund was approved before: its transfer is under way or made"],
  REFUND_SETTLED: ["gone", "The refund is paid; it cannot be taken back"],
  REFUND_FAILED: ["gone", "The transfer of this refund failed and moved no money. Ask for a new refund"],
  REFUND_EXPIRED: ["gone", "Nobody approved the refund in time. Ask for a new one"],
  REFUND_CANCELLED: ["gone", "The refund was cancelled. Ask for a new one"],
  INSUFFICIENT_BALANCE: [
    "conflict",
    "The spending wallet on this network holds less than the refund. Add money to it first. Nothing was moved",
  ],
});
