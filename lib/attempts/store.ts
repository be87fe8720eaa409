import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { MandateId } from "@/lib/core/ids";
import { newId, type OwnerId } from "@/lib/core/ids";
import type { Queryable } from "@/lib/platform/db";
import { deleteSome } from "@/lib/platform/retention-store";
import type { RefusedPayments } from "./rules";
import { refusedAttempts as table } from "./tables";

export type RefusedAttempt = typeof table.$inferSelect;

/**
 * Inserts refusals or adds them to existing rows, and returns the inserted ones. Keys must be distinct and `refusals` sorted by
 * key: concurrent processes then queue for the locks instead of deadlocking.
 */
export async function add(db: Queryable, refusals: readonly RefusedPayments[]): Promise<RefusedAttempt[]> {
  const rows = refusals.map((one) => ({ ...one, id: newId("attempt") }));
  const written = await db
    .insert(table)
    .values(rows)
    .onConflictDoUpdate({
      target: [table.agentId, table.mandateId, table.reason, table.host, table.minute],
      set: {
        count: sql`least(${table.count}::bigint + excluded.count, ${COUNT_MAX})`,
        amount: sql`excluded.amount`,
        network: sql`excluded.network`,
        payTo: sql`excluded.pay_to`,
        lastAt: sql`greatest(${table.lastAt}, excluded.last_at)`,
      },
    })
    .returning();
  const added = new Set(rows.map(({ id }) => id));
  // An existing row keeps its id.
  return written.filter(({ id }) => added.has(id));
}

const COUNT_MAX = 2_000_000_000;

/** Newest first. */
export const listForMandate = (
  db: Queryable,
  ownerId: OwnerId,
  mandateId: MandateId,
  limit: number,
): Promise<RefusedAttempt[]> =>
  db
    .select()
    .from(table)
    .where(and(eq(table.mandateId, mandateId), eq(table.ownerId, ownerId)))
    .orderBy(desc(table.lastAt), desc(table.id))
    .limit(limit);

export const forget = (db: Queryable, cutoff: Date, limit: number): Promise<number> =>
  deleteSome(db, table, lt(table.minute, cutoff), limit);
