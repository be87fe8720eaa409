import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { publicStatus } from "@/lib/settlements/contract";
import type { SettlementState } from "@/lib/settlements/tables";
import type { refunds } from "./tables";

export type Refund = typeof refunds.$inferSelect;
export type RefundStatus = "pending" | "settled" | "failed" | "expired" | "cancelled";

const DAY_SECONDS = 86_400;

/** Until when a refund requested at `now` can be approved. */
export const approvableUntil = (now: Date): Date => addSeconds(now, DAY_SECONDS);

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
