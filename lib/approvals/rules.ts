import type { AppError } from "@/lib/core/errors";
import { addSeconds } from "@/lib/core/time";
import type { Order } from "@/lib/payments/service";
import { approvalErrors } from "./errors";
import type { approvals } from "./tables";

export type Approval = typeof approvals.$inferSelect;
export type ApprovalStatus = "pending" | "approved" | "denied" | "used" | "expired";

const APPROVAL_SECONDS = 600;

/** Until when a payment that was asked for at `now` can be approved and signed. */
export const usableUntil = (now: Date): Date => addSeconds(now, APPROVAL_SECONDS);

/** What became of it first counts: one that was used or denied never expires. */
export function statusOf(
  { paymentId, deniedAt, approvedAt, expiresAt }: Pick<Approval, "paymentId" | "deniedAt" | "approvedAt" | "expiresAt">,
  now: Date,
): ApprovalStatus {
  if (paymentId) return "used";
  if (deniedAt) return "denied";
  if (expiresAt <= now) return "expired";
  return approvedAt ? "approved" : "pending";
}

/** Why the approval can sign nothing any more, or null. */
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

/** What a person is asked: everything that is signed, and what the payment is recorded by. */
export type Asked = Pick<
  Approval,
  "network" | "amount" | "payee" | "host" | "resource" | "description" | "windowSeconds"
>;

export const askedOf = (order: Order): Asked => ({
  network: order.network,
  amount: order.amount,
  payee: order.payTo,
  host: order.host,
  resource: order.resource,
  description: order.description,
  windowSeconds: order.windowSeconds,
});

/** The names of what `order` would pay otherwise than the person was asked, as the agent knows them. */
export function differences(approval: Asked, order: Order): string[] {
  const wanted = askedOf(order);
  return FIELDS.filter(([field]) => approval[field] !== wanted[field]).map(([, name]) => name);
}

const FIELDS = [
  ["network", "network"],
  ["amount", "amount"],
  ["payee", "payTo"],
  ["host", "host"],
  ["resource", "resource"],
  ["description", "description"],
  ["windowSeconds", "validityWindowSeconds"],
] as const satisfies readonly (readonly [keyof Asked, string])[];
