import { failures } from "@/lib/core/errors";

export const approvalErrors = failures({
  approval_not_found: [
    "not_found",
    "There is no such approval. Omit approvalId to request the user's approval for this payment",
  ],
  approval_mismatch: [
    "conflict",
    "This approvalId is for a different payment. Send exactly the body that it was issued for, or omit it to request approval for this payment",
  ],
  approval_denied: ["forbidden", "The user denied this payment. Do not request it again unless they ask you to"],
  approval_expired: [
    "gone",
    "The approval has expired. Omit approvalId to request it again, if the user still wants to pay",
  ],
  approval_used: [
    "conflict",
    "This approval was already used for the payment paymentRecordId. An approval is valid for one payment",
  ],
  approval_decided: ["conflict", "The payment was already denied. The agent can request it again"],
  approval_limit_reached: [
    "conflict",
    "Another payment was approved at the same moment, and together they exceed your limit without a signature. Approve this one again",
  ],
  approval_mandate_waiting: [
    "conflict",
    "A mandate that you prepared here is waiting for your signature. Sign or reject it first",
  ],
});
