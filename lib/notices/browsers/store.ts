import { and, asc, eq, gt, inArray, ne, not, sql } from "drizzle-orm";
import type { BrowserId, OwnerId } from "@/lib/core/ids";
import { owners, sessions } from "@/lib/owners/tables";
import type { Db, Queryable, Tx } from "@/lib/platform/db";
import { deleteSome } from "@/lib/platform/retention-store";
import type { NoticeKind } from "../kinds";
import type { Written } from "../quotas";
import { noticeBrowsers, pushes } from "../tables";

export type Browser = typeof noticeBrowsers.$inferSelect;

/**
 * Its session was not ended by a sign-out, or from the list of sessions. One that was not used for long counts still, until it is
 * deleted: then nobody could end it.
 */
const isSignedIn = sql`exists (select from ${sessions}
  where ${sessions.id} = ${noticeBrowsers.sessionId} and ${sessions.revokedAt} is null)`;

/** The owner's, oldest first. */
export const list = (db: Queryable, ownerId: OwnerId): Promise<Browser[]> =>
  db
    .select()
    .from(noticeBrowsers)
    .where(and(eq(noticeBrowsers.ownerId, ownerId), isSignedIn))
    .orderBy(asc(noticeBrowsers.createdAt), asc(noticeBrowsers.id));

/** The same, while no other of the owner's can be added. */
export async function lockList(tx: Tx, ownerId: OwnerId): Promise<Browser[]> {
  await tx.select({ id: owners.id }).from(owners).where(eq(owners.id, ownerId)).for("no key update");
  return list(tx, ownerId);
}

/**
 * Adds a browser, or replaces what is stored for its endpoint. Null if the endpoint is stored with other keys: a browser gets them
 * together with it, so whoever sent this is not that browser.
 */
export async function upsertBrowser(tx: Tx, row: typeof noticeBrowsers.$inferInsert): Promise<Browser | null> {
  const { id: _, createdAt: __, ...set } = row;
  const isSame = sql`(${eq(noticeBrowsers.auth, row.auth)} and ${eq(noticeBrowsers.p256dh, row.p256dh)})`;
  // Somebody else signed in to this browser: what waits for the owner before is not for them.
  await tx
    .delete(noticeBrowsers)
    .where(and(eq(noticeBrowsers.endpoint, row.endpoint), ne(noticeBrowsers.ownerId, row.ownerId), isSame));
  const [stored] = await tx
    .insert(noticeBrowsers)
    .values(row)
    .onConflictDoUpdate({
      target: noticeBrowsers.endpoint,
      set: { ...set, lastError: null },
      setWhere: sql`${eq(noticeBrowsers.ownerId, row.ownerId)} and ${isSame}`,
    })
    .returning();
  return stored ?? null;
}

/** Removes one of the owner's with what waits for it. Null when there is none. */
export async function remove(db: Queryable, id: BrowserId, ownerId?: OwnerId): Promise<Browser | null> {
  const [removed] = await db
    .delete(noticeBrowsers)
    .where(and(eq(noticeBrowsers.id, id), ownerId && eq(noticeBrowsers.ownerId, ownerId)))
    .returning();
  return removed ?? null;
}

/** Removes the owner's that took what was signed with another key of ours, except at `endpoint`: nothing reaches them any more. */
export async function removeUnreachable(
  tx: Tx,
  { ownerId, vapidKey, endpoint }: Pick<Browser, "ownerId" | "vapidKey" | "endpoint">,
): Promise<void> {
  const isOther = and(ne(noticeBrowsers.vapidKey, vapidKey), ne(noticeBrowsers.endpoint, endpoint));
  await tx.delete(noticeBrowsers).where(and(eq(noticeBrowsers.ownerId, ownerId), isOther));
}

/** A browser that may be sent to, or null: it was removed, or its session was ended. */
export async function find(db: Db, id: BrowserId): Promise<Browser | null> {
  const [row] = await db
    .select()
    .from(noticeBrowsers)
    .where(and(eq(noticeBrowsers.id, id), isSignedIn));
  return row ?? null;
}

export async function setError(db: Queryable, id: BrowserId, lastError: string | null): Promise<void> {
  await db.update(noticeBrowsers).set({ lastError }).where(eq(noticeBrowsers.id, id));
}

export type Recipient = { browserId: BrowserId; ownerId: OwnerId; kinds: NoticeKind[] };

/**
 * The browsers of these owners that take what is signed with `vapidKey`. None of them is removed before `tx` ends, so notices can
 * be added; one that is being removed is left out.
 */
export const recipientsAmong = (tx: Tx, ownerIds: readonly OwnerId[], vapidKey: string): Promise<Recipient[]> =>
  tx
    .select({ browserId: noticeBrowsers.id, ownerId: noticeBrowsers.ownerId, kinds: noticeBrowsers.kinds })
    .from(noticeBrowsers)
    .where(
      and(
        inArray(noticeBrowsers.ownerId, [...ownerIds]),
        eq(noticeBrowsers.vapidKey, vapidKey),
        sql`cardinality(${noticeBrowsers.kinds}) > 0`,
        isSignedIn,
      ),
    )
    .for("key share", { skipLocked: true });

/** Notices that were written for these browsers since `since`. */
export const countSince = (db: Queryable, ids: readonly BrowserId[], since: Date): Promise<Written[]> =>
  db
    .select({ id: pushes.browserId, quota: pushes.quota, count: sql<number>`count(*)::int` })
    .from(pushes)
    .where(and(inArray(pushes.browserId, [...ids]), gt(pushes.createdAt, since)))
    .groupBy(pushes.browserId, pushes.quota);

/** Adds notices to the outbox, except those about what the browser has had one about. */
export async function addPushes(db: Queryable, rows: readonly (typeof pushes.$inferInsert)[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insert(pushes)
      .values([...rows])
      .onConflictDoNothing();
}

/** Deletes up to `limit` browsers whose session was ended or deleted. */
export const forgetEnded = (db: Queryable, limit: number): Promise<number> =>
  deleteSome(db, noticeBrowsers, not(isSignedIn), limit);
