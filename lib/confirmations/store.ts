import { and, desc, eq, gt, isNull, lte, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { ConfirmationId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Queryable, Tx } from "@/lib/platform/db";
import { approvalLimits, confirmations } from "./tables";

export type ConfirmationRow = typeof confirmations.$inferSelect;

/** Adds a challenge, and deletes unused ones of the owner that expired by `cutoff`. */
export async function add(db: Queryable, row: typeof confirmations.$inferInsert, cutoff: Date): Promise<void> {
  const isUnused = and(eq(confirmations.ownerId, row.ownerId), isNull(confirmations.usedAt));
  await db.delete(confirmations).where(and(isUnused, lte(confirmations.expiresAt, cutoff)));
  await db.insert(confirmations).values(row);
}

/** Keeps other calls from creating a challenge for the same action until `tx` ends. */
export async function lockAction(tx: Tx, ownerId: OwnerId, actionHash: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${ownerId} ${actionHash}`}, 0))`);
}

const CHALLENGES_MAX = 10;

/** The newest challenges of an action created after `since`, newest first. */
export const listRecent = (
  db: Queryable,
  ownerId: OwnerId,
  actionHash: string,
  since: Date,
): Promise<ConfirmationRow[]> =>
  db
    .select()
    .from(confirmations)
    .where(
      and(
        eq(confirmations.ownerId, ownerId),
        eq(confirmations.actionHash, actionHash),
        gt(confirmations.createdAt, since),
      ),
    )
    .orderBy(desc(confirmations.createdAt))
    .limit(CHALLENGES_MAX);

/** Uses a challenge up; false when it was used before or has expired. */
export async function use(tx: Tx, id: ConfirmationId, signature: Hex, now: Date): Promise<boolean> {
  const used = await tx
    .update(confirmations)
    .set({ usedAt: now, signature })
    .where(and(eq(confirmations.id, id), isNull(confirmations.usedAt), gt(confirmations.expiresAt, now)))
    .returning({ id: confirmations.id });
  return used.length > 0;
}

/** Null when the owner has not set a limit. */
export async function findLimit(db: Queryable, ownerId: OwnerId): Promise<Usdc | null> {
  const [row] = await db
    .select({ amount: approvalLimits.amount })
    .from(approvalLimits)
    .where(eq(approvalLimits.ownerId, ownerId));
  return row?.amount ?? null;
}

/** Locks the limit for the rest of `tx` and returns it; sets it to `initial` first if there is none. */
export async function lockLimit(tx: Tx, ownerId: OwnerId, initial: Usdc, now: Date): Promise<Usdc> {
  await tx.insert(approvalLimits).values({ ownerId, amount: initial, updatedAt: now }).onConflictDoNothing();
  const [row] = await tx
    .select({ amount: approvalLimits.amount })
    .from(approvalLimits)
    .where(eq(approvalLimits.ownerId, ownerId))
    .for("update");
  return row?.amount ?? initial;
}

export async function setLimit(tx: Tx, ownerId: OwnerId, amount: Usdc, now: Date): Promise<void> {
  await tx.update(approvalLimits).set({ amount, updatedAt: now }).where(eq(approvalLimits.ownerId, ownerId));
}
