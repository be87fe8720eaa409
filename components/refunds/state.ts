import type { RefundItem } from "@/lib/refunds/contract";

export type RefundState = Exclude<RefundItem["status"], "pending"> | "waiting" | "underway";

/** A refund as its owner sees it: waiting for them, or on its way once they have approved. */
export function stateOf({ status, isApproved }: Pick<RefundItem, "status" | "isApproved">): RefundState {
  if (status !== "pending") return status;
  return isApproved ? "underway" : "waiting";
}
