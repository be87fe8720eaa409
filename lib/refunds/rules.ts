import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { publicStatus } from "@/lib/settlements/contract";
import type { SettlementState } from "@/lib/settlements/tables";
import type { refunds } from "./tables";

export type Refund = typeof refunds.$inferSelect;
export type RefundStatus = "pending" | "settled" | "failed" | "expired" | "cancelled";

/** How long a requested refund can be approved. */
export const APPROVABLE_SECONDS = 86_400;

/**
 * Pending until it is approved, and as long as its transfer is under way or anyone can still submit it. `transfer`: null
 * before the approval.
 */
export function refundStatus(
  { cancelledAt, expiresAt }: Pick<Refund, "cancelledAt" | "expiresAt">,
  transfer: { state: SettlementState } | null,
  now: Date,
): RefundStatus {
  if (cancelledAt) return "cancelled";
  if (!transfer) return expiresAt <= now ? "expired" : "pending";
  return publicStatus(transfer.state);
}

/** How much of a payment of `paidAmount` can still be refunded when its refunds reserve `reservedAmount`. */
export const refundable = (paidAmount: Usdc, reservedAmount: Usdc): Usdc =>
  reservedAmount >= paidAmount ? ZERO : toUsdc(paidAmount - reservedAmount);

export const refundType = (amount: Usdc, paidAmount: Usdc): "full" | "partial" =>
  amount === paidAmount ? "full" : "partial";
