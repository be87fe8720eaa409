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
 * Whether the browser's session exists and was not revoked. An expired session counts until it is deleted, because after that the
 * owner could no longer revoke it.
 */
const isSignedIn = sql`exists (select from ${sessions}
  where ${sessions.id} = ${noticeBrowsers.sessionId} and ${sessions.revokedAt} is null)`;

/** The owner's browsers, oldest first. */
export const list = (db: Queryable, ownerId: OwnerId): Promise<Browser[]> =>
  db
    .select()
    .from(noticeBrowsers)
    .where(and(eq(noticeBrowsers.ownerId, ownerId), isSignedIn))
    .orderBy(asc(noticeBrowsers.createdAt), asc(noticeBrowsers.id));

/** Lists the owner's browsers and prevents new ones until `tx` ends. */
export async function lockList(tx: Tx, ownerId: OwnerId): Promise<Browser[]> {
  await tx.select({ id: owners.id }).from(owners).where(eq(owners.id, ownerId)).for("no key update");
  return list(tx, ownerId);
}

/**
 * Adds a browser, or updates the row of its endpoint. Null if the endpoint is stored with other keys: a browser receives the keys
 * together with the endpoint, so this request comes from somewhere else.
 */
export async function upsertBrowser(tx: Tx, row: typeof noticeBrowsers.$inferInsert): Promise<Browser | null> {
  const { id: _, createdAt: __, ...set } = row;
  const isSame = sql`(${eq(noticeBrowsers.auth, row.auth)} and ${eq(noticeBrowsers.p256dh, row.p256dh)})`;
  // Another owner has signed in to this browser and must not receive the previous owner's notices.
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

/** Removes a browser with its queued notices. Null if the owner has no such browser. */
export async function remove(db: Queryable, id: BrowserId, ownerId?: OwnerId): Promise<Browser | null> {
  const [removed] = await db
    .delete(noticeBrowsers)
    .where(and(eq(noticeBrowsers.id, id), ownerId && eq(noticeBrowsers.ownerId, ownerId)))
    .returning();
  return removed ?? null;
}

/** Removes the owner's browsers that subscribed with another VAPID key, except `endpoint`: nothing can be sent to them. */
export async function removeUnreachable(
  tx: Tx,
  { ownerId, vapidKey, endpoint }: Pick<Browser, "ownerId" | "vapidKey" | "endpoint">,
): Promise<void> {
  const isOther = and(ne(noticeBrowsers.vapidKey, vapidKey), ne(noticeBrowsers.endpoint, endpoint));
  await tx.delete(noticeBrowsers).where(and(eq(noticeBrowsers.ownerId, ownerId), isOther));
}

/** Null if the browser was removed or its session ended. */
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

export type PushRecipient = { browserId: BrowserId; ownerId: OwnerId; kinds: NoticeKind[] };

/**
 * The browsers of these owners that subscribed with `vapidKey`, locked against removal until `tx` ends. Browsers that are being
 * removed are skipped.
 */
export const recipientsAmong = (tx: Tx, ownerIds: readonly OwnerId[], vapidKey: string): Promise<PushRecipient[]> =>
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

/** Counts the notices written for these browsers since `since`. */
export const countSince = (db: Queryable, ids: readonly BrowserId[], since: Date): Promise<Written[]> =>
  db
    .select({ id: pushes.browserId, quota: pushes.quota, count: sql<number>`count(*)::int` })
    .from(pushes)
    .where(and(inArray(pushes.browserId, [...ids]), gt(pushes.createdAt, since)))
    .groupBy(pushes.browserId, pushes.quota);

/** Queues notices. A browser gets at most one notice about the same thing. */
export async function addPushes(db: Queryable, rows: readonly (typeof pushes.$inferInsert)[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insert(pushes)
      .values([...rows])
      .onConflictDoNothing();
}

/** Deletes up to `limit` browsers whose session was revoked or deleted. */
export const forgetEnded = (db: Queryable, limit: number): Promise<number> =>
  deleteSome(db, noticeBrowsers, not(isSignedIn), limit);
