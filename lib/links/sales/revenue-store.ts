import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { LinkId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Queryable } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import { receivedPayments } from "../tables";
import type { Span } from "./periods";

// One link's settled sales for one owner. Queries use the index on link, so that the sales of other links cost nothing.

const volume = sql`coalesce(sum(${settlements.amount}), 0)`.mapWith(settlements.amount);
const payments = sql<number>`count(*)`.mapWith(Number);

const isSettledAt = (ownerId: OwnerId, linkId: LinkId) =>
  and(eq(receivedPayments.linkId, linkId), eq(receivedPayments.ownerId, ownerId), eq(settlements.state, "settled"));

export async function totalsOf(
  db: Queryable,
  ownerId: OwnerId,
  linkId: LinkId,
): Promise<{ volume: Usdc; payments: number }> {
  const [row] = await db
    .select({ volume, payments })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(isSettledAt(ownerId, linkId));
  if (!row) throw new Error("a sum without groups has one row");
  return row;
}

/** Per UTC day; days without sales are missing. */
export const daysOf = (
  db: Queryable,
  ownerId: OwnerId,
  linkId: LinkId,
  { from, to }: Span,
): Promise<{ at: Date; volume: Usdc; payments: number }[]> =>
  db
    .select({
      at: sql`date_trunc('day', ${receivedPayments.createdAt}, 'UTC')`.mapWith(receivedPayments.createdAt).as("at"),
      volume,
      payments,
    })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(and(isSettledAt(ownerId, linkId), gte(receivedPayments.createdAt, from), lt(receivedPayments.createdAt, to)))
    .groupBy(sql`at`);
