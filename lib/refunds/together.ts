import type { AppError } from "@/lib/core/errors";
import type { RefundId } from "@/lib/core/ids";
import { orRefusal } from "@/lib/http/errors";
import type { Ctx, Owner } from "@/lib/platform/context";
import { approve, type RefundView } from "./service";

export type Outcome = { refundId: RefundId; outcome: RefundView | AppError };

/** Approves several refunds one after the other, each as if alone. A refund goes to who paid, so it needs no signature. */
export async function approveTogether(ctx: Ctx<Owner>, ids: readonly RefundId[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const refundId of ids) outcomes.push({ refundId, outcome: await orRefusal(() => approve(ctx, refundId)) });
  return outcomes;
}
