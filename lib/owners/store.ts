import { and, desc, eq, gt, inArray, isNull, lt, lte, ne } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { OwnerId, SessionId } from "@/lib/core/ids";
import type { Queryable } from "@/lib/platform/db";
import { owners, sessions, siweNonces } from "./tables";

/** Adds a nonce, and deletes expired ones. */
export async function addNonce(db: Queryable, row: typeof siweNonces.$inferInsert, now: Date): Promise<void> {
  await db.delete(siweNonces).where(lte(siweNonces.expiresAt, now));
  await db.insert(siweNonces).values(row);
}

/** Uses the nonce up. False when the service did not issue it, it was used or it has expired. */
export async function takeNonce(db: Queryable, nonce: string, now: Date): Promise<boolean> {
  const rows = await db
    .delete(siweNonces)
    .where(and(eq(siweNonces.nonce, nonce), gt(siweNonces.expiresAt, now)))
    .returning({ nonce: siweNonces.nonce });
  return rows.length > 0;
}

export async function isKnown(db: Queryable, address: Address): Promise<boolean> {
  const [row] = await db.select({ id: owners.id }).from(owners).where(eq(owners.address, address));
  return row !== undefined;
}

/** The owner with this address; created with `newId` if there is none. */
export async function signIn(db: Queryable, address: Address, newId: OwnerId, time: Date): Promise<OwnerId> {
  const [row] = await db
    .insert(owners)
    .values({ id: newId, address, createdAt: time, lastSignInAt: time })
    .onConflictDoUpdate({ target: owners.address, set: { lastSignInAt: time } })
    .returning({ id: owners.id });
  return row?.id ?? newId;
}

export type SessionRow = typeof sessions.$inferSelect;

const isLiveSession = (now: Date, idleSince: Date) =>
  and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, idleSince));

/** Adds a session, and deletes those of the owner that expired before `cutoff`. */
export async function addSession(db: Queryable, row: typeof sessions.$inferInsert, cutoff: Date): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.ownerId, row.ownerId), lt(sessions.expiresAt, cutoff)));
  await db.insert(sessions).values(row);
}

/** A session that has not ended and was used after `idleSince`, with its owner. */
export async function findLiveSession(
  db: Queryable,
  id: SessionId,
  now: Date,
  idleSince: Date,
): Promise<{ ownerId: OwnerId; address: Address; lastSeenAt: Date } | null> {
  const [row] = await db
    .select({ ownerId: owners.id, address: owners.address, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(owners, eq(owners.id, sessions.ownerId))
    .where(and(eq(sessions.id, id), isLiveSession(now, idleSince)));
  return row ?? null;
}

/** Records a use of the session, unless another request recorded one after `cutoff`. */
export async function touchSession(db: Queryable, id: SessionId, now: Date, cutoff: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, cutoff)));
}

export const liveSessionsAmong = async (
  db: Queryable,
  ids: readonly SessionId[],
  now: Date,
  idleSince: Date,
): Promise<SessionId[]> =>
  (
    await db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(inArray(sessions.id, [...ids]), isLiveSession(now, idleSince)))
  ).map(({ id }) => id);

const SHOWN_MAX = 100;

export const listLiveSessions = (db: Queryable, ownerId: OwnerId, now: Date, idleSince: Date): Promise<SessionRow[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.ownerId, ownerId), isLiveSession(now, idleSince)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(SHOWN_MAX);

type SessionSelection = { ownerId?: OwnerId; id?: SessionId; except?: SessionId | undefined };

/**
 * Revokes sessions and returns those that had not expired. Without an `id`, expired sessions are marked too: until then, browsers that
 * they added still receive notices.
 */
export async function revokeSessions(
  db: Queryable,
  { ownerId, id, except }: SessionSelection,
  now: Date,
): Promise<SessionRow[]> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        ownerId && eq(sessions.ownerId, ownerId),
        id && eq(sessions.id, id),
        except && ne(sessions.id, except),
        isNull(sessions.revokedAt),
        id && gt(sessions.expiresAt, now),
      ),
    )
    .returning();
  return ended.filter(({ expiresAt }) => expiresAt > now);
}
