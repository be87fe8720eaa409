import type { AppError } from "@/lib/core/errors";
import type { RefundId } from "@/lib/core/ids";
import { orRefusal } from "@/lib/http/errors";
import type { Ctx, Owner } from "@/lib/platform/context";
import { approve, type RefundView } from "./service";

export type RefundOutcome = { refundId: RefundId; outcome: RefundView | AppError };

/** Approves several refunds in order, each with its own outcome. Needs no signature, because a refund goes to the original payer. */
export async function approveTogether(ctx: Ctx<Owner>, ids: readonly RefundId[]): Promise<RefundOutcome[]> {
  const outcomes: RefundOutcome[] = [];
  for (const refundId of ids) outcomes.push({ refundId, outcome: await orRefusal(() => approve(ctx, refundId)) });
  return outcomes;
}
