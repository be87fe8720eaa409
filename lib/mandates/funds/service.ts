import type { OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { recordOfOwner } from "@/lib/platform/events";
import { LOW_BALANCE_DEFAULT } from "./rules";
import * as store from "./store";

/** The balance below which the owner is notified; zero: never. */
export const threshold = async (db: Queryable, ownerId: OwnerId): Promise<Usdc> =>
  (await store.findThreshold(db, ownerId)) ?? LOW_BALANCE_DEFAULT;

export const lowBalance = ({ db, actor }: Ctx<Owner>): Promise<Usdc> => threshold(db, actor.ownerId);

export function setLowBalance({ db, actor, now }: Ctx<Owner>, amount: Usdc): Promise<Usdc> {
  const { ownerId } = actor;
  const time = now();
  return db.transaction(async (tx) => {
    const previousAmount = await threshold(tx, ownerId);
    await store.setThreshold(tx, ownerId, amount, time);
    const meta = { from: previousAmount.toString(), to: amount.toString() };
    if (amount !== previousAmount) await recordOfOwner(tx, time, ownerId, "owner.low_balance_changed", meta);
    return amount;
  });
}
