import type { SettlementId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { Ctx, Seller } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import * as store from "./store";

const DAY_SECONDS = 86_400;

/**
 * Seconds until the key may settle again under its daily limit; null if it may now. `except`: the settlement being claimed. An
 * open settlement can free a place soon, because a settlement that ends without a transaction does not count.
 */
export async function usedUpFor(ctx: Ctx<Seller>, db: Queryable, except?: SettlementId): Promise<number | null> {
  const { keyId, settlementsPerDay: max } = ctx.actor;
  const now = ctx.now();
  const used = await store.readUsed(db, keyId, { max, since: addSeconds(now, -DAY_SECONDS), except });
  if (used.count < max) return null;
  if (used.isAnyOpen) return ctx.config.settleWaitSeconds;
  const end = addSeconds(used.oldest ?? now, DAY_SECONDS);
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
}
