import type { AppError } from "@/lib/core/errors";
import { addSeconds } from "@/lib/core/time";
import type { Order } from "@/lib/payments/service";
import { approvalErrors } from "./errors";
import type { approvals } from "./tables";

export type Approval = typeof approvals.$inferSelect;

/** A payment that a person must approve first. `token`: only when the approval was created by this request. */
export type Required = { type: "unapproved"; approval: Approval; token: string | null };
export type ApprovalStatus = "pending" | "approved" | "denied" | "used" | "expired";

const APPROVAL_SECONDS = 600;

/** Until when a payment requested at `now` can be approved and signed. */
export const usableUntil = (now: Date): Date => addSeconds(now, APPROVAL_SECONDS);

/** A used or denied approval never becomes expired. */
export function statusOf(
  { paymentId, deniedAt, approvedAt, expiresAt }: Pick<Approval, "paymentId" | "deniedAt" | "approvedAt" | "expiresAt">,
  now: Date,
): ApprovalStatus {
  if (paymentId) return "used";
  if (deniedAt) return "denied";
  if (expiresAt <= now) return "expired";
  return approvedAt ? "approved" : "pending";
}

/** Why no payment can be signed with the approval any more, or null. */
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

/** The payment that a person approves: everything that is signed, and the fields of its record. */
export type PaymentTerms = Pick<
  Approval,
  "network" | "amount" | "payee" | "host" | "resource" | "description" | "windowSeconds"
>;

export const termsOf = (order: Order): PaymentTerms => ({
  network: order.network,
  amount: order.amount,
  payee: order.payTo,
  host: order.host,
  resource: order.resource,
  description: order.description,
  windowSeconds: order.windowSeconds,
});

/** The request fields in which `order` differs from the approved payment. */
export function differences(approval: PaymentTerms, order: Order): string[] {
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
