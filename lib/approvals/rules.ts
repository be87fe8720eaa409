import type { AppError } from "@/lib/core/errors";
import { addSeconds } from "@/lib/core/time";
import type { PaymentOrder } from "@/lib/payments/service";
import type { ApprovalSummary, AskedWords } from "@/lib/platform/summary";
import { approvalErrors } from "./errors";
import type { approvals } from "./tables";

/** `isPaidByMandate`: a mandate has paid what it could not pay when the approval was asked for. */
export type Approval = typeof approvals.$inferSelect & { isPaidByMandate: boolean };

/** A payment that a person must approve first. `token` is set only if this request created the approval. */
export type ApprovalRequired = {
  type: "unapproved";
  approval: Approval;
  token: string | null;
  summary: ApprovalSummary;
};
export type ApprovalStatus = "pending" | "approved" | "denied" | "used" | "expired";

const APPROVAL_SECONDS = 600;

/** The expiry of an approval requested at `now`: until then, the payment can be approved and signed. */
export const usableUntil = (now: Date): Date => addSeconds(now, APPROVAL_SECONDS);

/** What was requested before has expired at `now`. */
export const usableSince = (now: Date): Date => addSeconds(now, -APPROVAL_SECONDS);

type Deciding = Pick<Approval, "paymentId" | "deniedAt" | "approvedAt" | "expiresAt" | "isPaidByMandate">;

/** A used or denied approval never becomes expired. */
export function statusOf(
  { paymentId, deniedAt, approvedAt, expiresAt, isPaidByMandate }: Deciding,
  now: Date,
): ApprovalStatus {
  if (paymentId) return "used";
  if (deniedAt) return "denied";
  if (expiresAt <= now || isPaidByMandate) return "expired";
  return approvedAt ? "approved" : "pending";
}

/** The reason why the approval can no longer be used to sign a payment, or null. */
export function closing(approval: Approval, now: Date): AppError | null {
  const status = statusOf(approval, now);
  switch (status) {
    case "used":
      return approvalErrors.approval_used({ paymentRecordId: approval.paymentId });
    case "denied":
      return approvalErrors.approval_denied();
    case "expired":
      return approvalErrors.approval_expired();
    case "pending":
    case "approved":
      return null;
    default:
      return status satisfies never;
  }
}

/** The question to the owner. */
export const askedWords: AskedWords = ({ name, sum, host }) => ({
  title: `Approve ${sum} to ${host}?`,
  text: `${name} asks you to pay ${sum} to ${host}. The request ends after ten minutes.`,
});

/** The terms that a person approves: all that is signed, and the fields of the payment's record. */
export type PaymentTerms = Pick<
  Approval,
  "network" | "amount" | "payee" | "host" | "resource" | "description" | "windowSeconds"
>;

export const termsOf = (order: PaymentOrder): PaymentTerms => ({
  network: order.network,
  amount: order.amount,
  payee: order.payTo,
  host: order.host,
  resource: order.resource,
  description: order.description,
  windowSeconds: order.windowSeconds,
});

/** The request fields in which `order` differs from the approved payment. */
export function differences(approval: PaymentTerms, order: PaymentOrder): string[] {
  const requestedTerms = termsOf(order);
  return FIELDS.filter(([field]) => approval[field] !== requestedTerms[field]).map(([, name]) => name);
}

const FIELDS = [
  ["network", "network"],
  ["amount", "amount"],
  ["payee", "payTo"],
  ["host", "host"],
  ["resource", "resource"],
  ["description", "description"],
  ["windowSeconds", "validityWindowSeconds"],
] as const satisfies readonly (readonly [keyof PaymentTerms, string])[];
