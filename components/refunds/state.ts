import type { RefundItem } from "@/lib/refunds/contract";

export type RefundState = Exclude<RefundItem["status"], "pending"> | "waiting" | "underway";

/** The refund's state for its owner: a pending refund is waiting, or under way once approved. */
export function stateOf({ status, isApproved }: Pick<RefundItem, "status" | "isApproved">): RefundState {
  if (status !== "pending") return status;
  return isApproved ? "underway" : "waiting";
}
