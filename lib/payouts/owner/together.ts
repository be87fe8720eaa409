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

export type Outcome = { payoutRecordId: PayoutId; outcome: PayoutView | AppError };

/**
 * Approves several payouts, each in its own transaction with its own outcome. If those that wait need a signature together, one
 * signature covers all that are named; until then none is approved. Throws signature_required.
 */
export async function approveTogether(
  ctx: Ctx<Owner>,
  ids: readonly PayoutId[],
  { signature }: { signature?: Hex | undefined },
): Promise<Outcome[]> {
  const lookups = await Promise.all(ids.map((id) => orRefusal(() => findOwn(ctx, id))));
  const payouts = lookups.flatMap((lookup) => (lookup instanceof AppError ? [] : [lookup.payout]));
  const legs = await lists.legsOf(
    ctx.db,
    payouts.map(({ id }) => id),
  );
  const orders = payouts.map((payout) => ({ ...payout, legs: (legs.get(payout.id) ?? []).map(({ leg }) => leg) }));
  const waiting = orders.filter((order) => statusOf(order, [], ctx.now()) === "pending_authorization");
  const isSigned = await needsSignature(ctx, waiting);
  // Used before the payouts are paid, because each is a separate transaction. Of all that were named, also those that are decided
  // already, so that a repeated call needs the same signature.
  if (isSigned) await confirmed(ctx, togetherAction(orders), signature, (use) => ctx.db.transaction(use));
  const outcomes: Outcome[] = [];
  for (const [index, payoutRecordId] of ids.entries()) {
    const lookup = lookups[index];
    const attempt = async () => {
      if (!lookup || lookup instanceof AppError) throw lookup ?? payoutErrors.payout_not_found();
      return approve(ctx, payoutRecordId, isSigned ? "signed_batch" : {});
    };
    outcomes.push({ payoutRecordId, outcome: await orRefusal(attempt) });
  }
  return outcomes;
}
