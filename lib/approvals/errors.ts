import { failures, type Remedies } from "@/lib/core/errors";

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
    "The approval has expired, or the same payment was signed under a mandate since. Omit approvalId to request it again, if the user still wants to pay",
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

export const approvalRemedies: Remedies = {
  approval_decided: {
    cause: "A decision on an approval is final. Another page or another device decided first.",
    remedy: "Read the approval. If the payment is still wanted, the agent requests it again.",
  },
  approval_mandate_waiting: {
    cause: "You prepared a mandate from this approval before, and it waits for your signature.",
    remedy: "Sign or reject the mandate that waits, then repeat the request if another one is needed.",
  },
  approval_not_found: {
    cause: "The id is wrong, or the approval belongs to another owner or agent.",
    remedy:
      "An agent sends the payment without `approvalId`, which requests an approval. An owner finds what waits on the overview.",
  },
  approval_denied: {
    cause: "The owner rejected this one payment.",
    remedy: "Nothing was signed. Do not request it again unless the owner asks you to.",
  },
  approval_expired: {
    cause:
      "The owner did not decide within ten minutes, or the agent did not fetch the proof in time, or the same payment was signed under a mandate meanwhile.",
    remedy: "The approval signed nothing. Omit `approvalId` to request a new approval, if the payment is still wanted.",
  },
  approval_used: {
    cause: "The proof of this approval was signed before. An approval is valid for one payment.",
    remedy: "Read the payment in `paymentRecordId`. Do not request another approval before you know how it ended.",
  },
  approval_mismatch: {
    cause: "The body differs from the one that the owner was shown.",
    remedy: "Send exactly the same body with the `approvalId`.",
  },
};
