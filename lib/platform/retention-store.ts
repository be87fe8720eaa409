import { lt, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "./db";
import { eventOutbox, events, rateLimits } from "./tables";

/** Deletes up to `limit` rows and returns how many. Rows that another transaction is changing are skipped until the next call. */
export async function deleteSome(db: Queryable, table: PgTable, isOld: SQL, limit: number): Promise<number> {
  const old = sql`select ctid from ${table} where ${isOld} limit ${limit} for update skip locked`;
  const { rowCount } = await db.execute(sql`delete from ${table} where ctid = any(array(${old}))`);
  return rowCount ?? 0;
}

/** Keeps events that are still in the outbox for webhooks. */
export function forgetEvents(db: Queryable, cutoff: Date, limit: number): Promise<number> {
  const isWaiting = sql`exists (select from ${eventOutbox} where ${eventOutbox.eventId} = ${events.id})`;
  return deleteSome(db, events, sql`${lt(events.createdAt, cutoff)} and not ${isWaiting}`, limit);
}

/** Deletes counts whose window ended before `cutoff`. */
export const forgetTurns = (db: Queryable, cutoff: Date, limit: number): Promise<number> =>
  deleteSome(db, rateLimits, lt(rateLimits.expire, cutoff.getTime()), limit);
