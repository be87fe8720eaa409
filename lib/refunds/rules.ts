import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import type { SettlementState } from "@/lib/settlements/tables";
import type { refunds } from "./tables";

export type Refund = typeof refunds.$inferSelect;
export type RefundStatus = "pending" | "settled" | "failed" | "expired" | "cancelled";

const DAY_SECONDS = 86_400;

/** Until when a refund that was asked for at `now` can be approved. */
export const approvableUntil = (now: Date): Date => addSeconds(now, DAY_SECONDS);

/** A refund's settlement, as far as its status depends on it; `isPublic`: a transaction of ours showed it to everybody. */
export type Progress = { state: SettlementState; isPublic: boolean };

/**
 * Pending until it is approved, and while its transfer is under way or can still be made: what everybody can read anybody
 * can submit until it runs out. `transfer`: null while it has none.
 */
export function refundStatus(
  { cancelledAt, expiresAt, voidedAt }: Pick<Refund, "cancelledAt" | "expiresAt" | "voidedAt">,
  transfer: Progress | null,
  now: Date,
): RefundStatus {
  if (cancelledAt) return "cancelled";
  if (!transfer) return expiresAt <= now ? "expired" : "pending";
  if (transfer.state === "settled") return "settled";
  return transfer.state === "failed" && (voidedAt || !transfer.isPublic) ? "failed" : "pending";
}

/** How much of a payment of `paid` can still be asked back when refunds of it hold `held`. */
export const refundable = (paid: Usdc, held: Usdc): Usdc => (held >= paid ? ZERO : toUsdc(paid - held));

/** Whether a refund gives everything back. */
export const refundType = (amount: Usdc, paid: Usdc): "full" | "partial" => (amount === paid ? "full" : "partial");
