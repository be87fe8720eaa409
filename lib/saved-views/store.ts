import { and, asc, eq, sql } from "drizzle-orm";
import type { OwnerId, SavedViewId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { ViewedList } from "./rules";
import { savedViews } from "./tables";

export type SavedView = typeof savedViews.$inferSelect;

const isOwn = (ownerId: OwnerId, id: SavedViewId) => and(eq(savedViews.id, id), eq(savedViews.ownerId, ownerId));

/** In the order of names. */
export const list = (db: Queryable, ownerId: OwnerId, of?: ViewedList): Promise<SavedView[]> =>
  db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.ownerId, ownerId), of && eq(savedViews.list, of)))
    .orderBy(asc(sql`lower(${savedViews.name})`), asc(savedViews.id));

/** The same; no one can add or rename one until `tx` ends. */
export async function listLocked(tx: Tx, ownerId: OwnerId): Promise<SavedView[]> {
  await tx.select({ id: owners.id }).from(owners).where(eq(owners.id, ownerId)).for("no key update");
  return list(tx, ownerId);
}

export async function add(tx: Tx, row: SavedView): Promise<void> {
  await tx.insert(savedViews).values(row);
}

export async function rename(tx: Tx, id: SavedViewId, name: string): Promise<void> {
  await tx.update(savedViews).set({ name }).where(eq(savedViews.id, id));
}

/** False when the owner has no such view. */
export async function remove(db: Queryable, ownerId: OwnerId, id: SavedViewId): Promise<boolean> {
  const removed = await db.delete(savedViews).where(isOwn(ownerId, id)).returning({ id: savedViews.id });
  return removed.length > 0;
}
