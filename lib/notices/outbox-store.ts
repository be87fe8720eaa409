import { and, eq, lt, lte, sql } from "drizzle-orm";
import type { Queryable, Tx } from "@/lib/platform/db";
import { deleteSome } from "@/lib/platform/retention-store";
import { mails, pushes } from "./tables";

const OUTBOXES = { mails, pushes };
export type Outbox = keyof typeof OUTBOXES;
export type OutboxRow<N extends Outbox> = (typeof OUTBOXES)[N]["$inferSelect"];

/** The cast is safe for columns that both tables have. */
const tableOf = (outbox: Outbox) => OUTBOXES[outbox] as typeof mails;

export async function hasDue(db: Queryable, outbox: Outbox, now: Date): Promise<boolean> {
  const table = tableOf(outbox);
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.state, "waiting"), lte(table.nextAttemptAt, now)))
    .limit(1);
  return rows.length > 0;
}

/** Claims due rows for an attempt; no other process tries them before `until`. Rows with fewer attempts come first. */
export async function begin<N extends Outbox>(
  tx: Tx,
  outbox: N,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<OutboxRow<N>[]> {
  const table = tableOf(outbox);
  const due = sql`select ${table.id} from ${table}
    where ${table.state} = 'waiting' and ${table.nextAttemptAt} <= ${now.toISOString()}::timestamptz
    order by ${table.attempts}, ${table.nextAttemptAt} limit ${limit} for update skip locked`;
  const rows = await tx
    .update(table)
    .set({ attempts: sql`${table.attempts} + 1`, nextAttemptAt: until })
    .where(sql`${table.id} = any(array(${due}))`)
    .returning();
  // The rows come from the table that `outbox` names.
  return rows as unknown as OutboxRow<N>[];
}

export type OutboxAttempt = { id: string; attempts: number };
type End = Partial<Pick<typeof mails.$inferSelect, "state" | "nextAttemptAt" | "endedAt" | "lastError" | "body">>;

/** Records the end of an attempt, unless a later attempt has begun. */
export async function end(db: Queryable, outbox: Outbox, { id, attempts }: OutboxAttempt, set: End): Promise<void> {
  const table = tableOf(outbox);
  await db
    .update(table)
    .set(set)
    .where(and(sql`${table.id} = ${id}`, eq(table.attempts, attempts)));
}

export const forget = (db: Queryable, outbox: Outbox, cutoff: Date, limit: number): Promise<number> => {
  const table = tableOf(outbox);
  return deleteSome(db, table, lt(table.createdAt, cutoff), limit);
};
