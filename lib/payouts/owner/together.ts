import type { Hex } from "viem";
import { confirmed } from "@/lib/confirmations/service";
import { AppError } from "@/lib/core/errors";
import type { PayoutId } from "@/lib/core/ids";
import { orRefusal } from "@/lib/http/errors";
import type { Ctx, Owner } from "@/lib/platform/context";
import { needsSignature, togetherAction } from "../consent";
import { payoutErrors } from "../errors";
import * as lists from "../list-store";
import { statusOf } from "../rules";
import { approve, findOwn, type PayoutView } from "../service";

export type PayoutOutcome = { payoutRecordId: PayoutId; outcome: PayoutView | AppError };

/**
 * Approves several payouts, each in its own transaction with its own outcome. If the pending ones together need a signature, one
 * signature covers all named payouts, and none is approved without it. Throws signature_required.
 */
export async function approveTogether(
  ctx: Ctx<Owner>,
  ids: readonly PayoutId[],
  { signature }: { signature?: Hex | undefined },
): Promise<PayoutOutcome[]> {
  const lookups = await Promise.all(ids.map((id) => orRefusal(() => findOwn(ctx, id))));
  const payouts = lookups.flatMap((lookup) => (lookup instanceof AppError ? [] : [lookup.payout]));
  const legs = await lists.legsOf(
    ctx.db,
    payouts.map(({ id }) => id),
  );
  const orders = payouts.map((payout) => ({ ...payout, legs: (legs.get(payout.id) ?? []).map(({ leg }) => leg) }));
  const waiting = orders.filter((order) => statusOf(order, [], ctx.now()) === "pending_authorization");
  const isSigned = await needsSignature(ctx, waiting);
  // The signature is used before the payouts are paid, because each is paid in a separate transaction. It covers all named payouts,
  // including those already decided, so that a repeated call needs the same signature.
  if (isSigned) await confirmed(ctx, togetherAction(orders), signature, (use) => ctx.db.transaction(use));
  const outcomes: PayoutOutcome[] = [];
  for (const [index, payoutRecordId] of ids.entries()) {
    const lookup = lookups[index];
    const outcome = await orRefusal(async () => {
      if (!lookup || lookup instanceof AppError) throw lookup ?? payoutErrors.payout_not_found();
      return approve(ctx, payoutRecordId, isSigned ? "signed_batch" : {});
    });
    outcomes.push({ payoutRecordId, outcome });
  }
  return outcomes;
}
