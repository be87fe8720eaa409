import { and, count, desc, eq, gt, inArray, isNull, lt, notExists, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { AppId, ConnectionId, OwnerId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { Db, Queryable, Tx } from "@/lib/platform/db";
import { oauthApps, oauthConnections, oauthTokens } from "./tables";

export type App = typeof oauthApps.$inferSelect;
export type Connection = typeof oauthConnections.$inferSelect;
export type Token = typeof oauthTokens.$inferSelect;

export async function addApp(db: Queryable, app: typeof oauthApps.$inferInsert): Promise<void> {
  await db.insert(oauthApps).values(app);
}

export async function findApp(db: Queryable, id: AppId): Promise<App | null> {
  const [row] = await db.select().from(oauthApps).where(eq(oauthApps.id, id));
  return row ?? null;
}

export async function noteConnected(tx: Tx, id: AppId, time: Date): Promise<void> {
  await tx.update(oauthApps).set({ connectedAt: time }).where(eq(oauthApps.id, id));
}

export async function addConnection(tx: Tx, row: typeof oauthConnections.$inferInsert): Promise<void> {
  await tx.insert(oauthConnections).values(row);
}

export async function addTokens(tx: Tx, rows: (typeof oauthTokens.$inferInsert)[]): Promise<void> {
  await tx.insert(oauthTokens).values(rows);
}

/** A token with its connection, whether or not they are still valid. */
export async function findToken(db: Queryable, hash: string): Promise<{ token: Token; connection: Connection } | null> {
  const [row] = await db
    .select({ token: oauthTokens, connection: oauthConnections })
    .from(oauthTokens)
    .innerJoin(oauthConnections, eq(oauthConnections.id, oauthTokens.connectionId))
    .where(eq(oauthTokens.hash, hash));
  return row ?? null;
}

/** Notes a token's first use; false if it was used before. */
export async function markUsed(db: Queryable, hash: string, time: Date): Promise<boolean> {
  const rows = await db
    .update(oauthTokens)
    .set({ usedAt: time })
    .where(and(eq(oauthTokens.hash, hash), isNull(oauthTokens.usedAt)))
    .returning({ hash: oauthTokens.hash });
  return rows.length > 0;
}

/** The agent must still be the owner's who connected the app. */
const hasAgent = sql`exists (select from ${agents} where ${agents.id} = ${oauthConnections.agentId} and ${agents.ownerId} = ${oauthConnections.ownerId} and ${agents.deletedAt} is null)`;

/** Locks a connection that has not ended, so that it cannot end before the tokens added in `tx` are visible. */
export async function lockOpen(tx: Tx, id: ConnectionId): Promise<Connection | null> {
  const [row] = await tx
    .select()
    .from(oauthConnections)
    .where(and(eq(oauthConnections.id, id), isNull(oauthConnections.endedAt), hasAgent))
    .for("no key update");
  return row ?? null;
}

/** Ends a connection that is open; null if it is not, or belongs to another owner. Its tokens work no more. */
export async function end(tx: Tx, id: ConnectionId, time: Date, ownerId?: OwnerId): Promise<Connection | null> {
  const [row] = await tx
    .update(oauthConnections)
    .set({ endedAt: time })
    .where(
      and(
        eq(oauthConnections.id, id),
        isNull(oauthConnections.endedAt),
        ownerId && eq(oauthConnections.ownerId, ownerId),
      ),
    )
    .returning();
  return row ?? null;
}

/** The open connection of an access token that is valid at `time`, with its agent. */
export async function findAccess(db: Queryable, hash: string, time: Date) {
  const [row] = await db
    .select({ connection: oauthConnections, agent: agents })
    .from(oauthTokens)
    .innerJoin(oauthConnections, eq(oauthConnections.id, oauthTokens.connectionId))
    .innerJoin(agents, eq(agents.id, oauthConnections.agentId))
    .where(
      and(
        eq(oauthTokens.hash, hash),
        eq(oauthTokens.kind, "access"),
        gt(oauthTokens.expiresAt, time),
        isNull(oauthConnections.endedAt),
        hasAgent,
      ),
    );
  return row ?? null;
}

const USE_ACCURACY_SECONDS = 60;

export async function noteUse(db: Queryable, { id, usedAt }: Connection, time: Date): Promise<void> {
  if (usedAt !== null && time < addSeconds(usedAt, USE_ACCURACY_SECONDS)) return;
  await db.update(oauthConnections).set({ usedAt: time }).where(eq(oauthConnections.id, id));
}

/** The owner's open connections, newest first, with the names of their agents. */
export const listOpen = (db: Queryable, ownerId: OwnerId) =>
  db
    .select({ connection: oauthConnections, agentName: agents.name })
    .from(oauthConnections)
    .innerJoin(agents, eq(agents.id, oauthConnections.agentId))
    .where(and(eq(oauthConnections.ownerId, ownerId), isNull(oauthConnections.endedAt), hasAgent))
    .orderBy(desc(oauthConnections.createdAt));

export async function countOpen(db: Queryable, ownerId: OwnerId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(oauthConnections)
    .where(and(eq(oauthConnections.ownerId, ownerId), isNull(oauthConnections.endedAt), hasAgent));
  return row?.count ?? 0;
}

/**
 * Deletes up to `limit` expired tokens, and returns their number and the open connections that have none left. A used one stays until it
 * expires, because its second use must be noticed.
 */
export async function forgetTokens(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<{ count: number; unusable: ConnectionId[] }> {
  const expired = tx
    .select({ hash: oauthTokens.hash })
    .from(oauthTokens)
    .where(lt(oauthTokens.expiresAt, before))
    .limit(limit);
  const rows = await tx
    .delete(oauthTokens)
    .where(inArray(oauthTokens.hash, expired))
    .returning({ connectionId: oauthTokens.connectionId });
  const ids = [...new Set(rows.map(({ connectionId }) => connectionId))];
  const tokens = tx.select().from(oauthTokens).where(eq(oauthTokens.connectionId, oauthConnections.id));
  const unusable = await tx
    .select({ id: oauthConnections.id })
    .from(oauthConnections)
    .where(and(inArray(oauthConnections.id, ids), isNull(oauthConnections.endedAt), notExists(tokens)));
  return { count: rows.length, unusable: unusable.map(({ id }) => id) };
}

/** Deletes up to `limit` apps that registered before `before` and were never connected. */
export async function forgetApps(db: Db, before: Date, limit: number): Promise<number> {
  const unused = db
    .select({ id: oauthApps.id })
    .from(oauthApps)
    .where(and(lt(oauthApps.createdAt, before), isNull(oauthApps.connectedAt)))
    .limit(limit);
  const rows = await db.delete(oauthApps).where(inArray(oauthApps.id, unused)).returning({ id: oauthApps.id });
  return rows.length;
}
