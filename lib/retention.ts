import { lt, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { addSeconds } from "@/lib/core/time";
import { forgetOldAnswers } from "@/lib/http/idempotency";
import { linkVisits } from "@/lib/links/tables";
import type { System } from "@/lib/platform/context";
import { eventOutbox, events, rateLimits } from "@/lib/platform/tables";
import * as purchases from "@/lib/purchases/retention";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Small enough that no statement holds locks for long. */
const AT_ONCE = 1_000;

/**
 * Deletes old rows, some of each kind, and returns whether there may be more. Every condition has an index. The job of webhooks
 * deletes their deliveries.
 */
export async function forgetOld(system: System): Promise<boolean> {
  const counts = [await forgetOldAnswers(system, AT_ONCE), await forgetTurns(system), ...(await forgetHistory(system))];
  await purchases.forgetOldAnswers(system);
  return counts.includes(AT_ONCE);
}

/** The next request of such a key would replace its row. The clock of another process may be behind. */
const forgetTurns = ({ db, now }: System): Promise<number> =>
  deleteSome(db, rateLimits, lt(rateLimits.expire, addSeconds(now(), -HOUR_SECONDS).getTime()));

async function forgetHistory({ db, now, config: { historyDays } }: System): Promise<number[]> {
  if (historyDays === null) return [];
  const before = addSeconds(now(), -historyDays * DAY_SECONDS);
  // An event waits there until webhooks have it.
  const isWaiting = sql`exists (select from ${eventOutbox} where ${eventOutbox.eventId} = ${events.id})`;
  return [
    await deleteSome(db, events, sql`${lt(events.createdAt, before)} and not ${isWaiting}`),
    await deleteSome(db, linkVisits, lt(linkVisits.viewedAt, before)),
  ];
}

/** Leaves rows that another transaction is changing to the next round. */
async function deleteSome(db: System["db"], table: PgTable, isOld: SQL): Promise<number> {
  const old = sql`select ctid from ${table} where ${isOld} limit ${AT_ONCE} for update skip locked`;
  const { rowCount } = await db.execute(sql`delete from ${table} where ctid = any(array(${old}))`);
  return rowCount ?? 0;
}
