import { failures } from "@/lib/core/errors";

export const approvalErrors = failures({
  approval_not_found: ["not_found", "There is no such approval. Leave approvalId out to ask the user for this payment"],
  approval_mismatch: [
    "conflict",
    "The user was asked for another payment. Send exactly the body that you were given this approvalId for, or leave it out to ask for this one",
  ],
  approval_denied: ["forbidden", "The user denied this payment. Do not ask again unless they tell you to"],
  approval_expired: [
    "gone",
    "The approval has run out. Leave approvalId out to ask the user again, if they still want to pay",
  ],
  approval_used: [
    "conflict",
    "A payment was signed by this approval before; paymentRecordId names it. It is good for one",
  ],
  approval_decided: ["conflict", "The payment was denied before. The agent can ask for it again"],
  approval_mandate_waiting: [
    "conflict",
    "A mandate that you prepared here waits for your signature. Sign it, or reject it",
  ],
});
