import { and, count, desc, eq, getTableColumns, gte, isNotNull, isNull, lt, lte, min, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { LinkId, OwnerId, SettlementId } from "@/lib/core/ids";
import type { Queryable } from "@/lib/platform/db";
import { deleteSome } from "@/lib/platform/retention-store";
import { settlements } from "@/lib/settlements/tables";
import type { Link } from "../rules";
import { linkRefusals, linkVisits, paymentLinks } from "../tables";

export type Visit = typeof linkVisits.$inferInsert;
export type LinkRefusal = typeof linkRefusals.$inferSelect;
type Settlement = typeof settlements.$inferSelect;

/** A link of an agent of the owner; neither is deleted. */
export async function findOwned(db: Queryable, ownerId: OwnerId, linkId: LinkId): Promise<Link | null> {
  const [row] = await db
    .select(getTableColumns(paymentLinks))
    .from(paymentLinks)
    .innerJoin(agents, eq(agents.id, paymentLinks.agentId))
    .where(
      and(
        eq(paymentLinks.linkId, linkId),
        isNull(paymentLinks.deletedAt),
        eq(agents.ownerId, ownerId),
        isNull(agents.deletedAt),
      ),
    );
  return row ?? null;
}

/** Whether a visit is already recorded; null when there is no such link. */
export async function isKnownVisit(db: Queryable, linkId: LinkId, visitId: string): Promise<boolean | null> {
  const [row] = await db
    .select({ isKnown: sql<boolean>`${linkVisits.visitId} is not null` })
    .from(paymentLinks)
    .leftJoin(linkVisits, and(eq(linkVisits.linkId, paymentLinks.linkId), eq(linkVisits.visitId, visitId)))
    .where(and(eq(paymentLinks.linkId, linkId), isNull(paymentLinks.deletedAt)));
  return row?.isKnown ?? null;
}

/** Adds a visit or advances it. Steps are never removed; a new signature after a failure replaces the earlier one. */
export async function putVisit(db: Queryable, row: Visit): Promise<void> {
  await db
    .insert(linkVisits)
    .values(row)
    .onConflictDoUpdate({
      target: [linkVisits.linkId, linkVisits.visitId],
      set: {
        connectedAt: sql`coalesce(${linkVisits.connectedAt}, excluded.connected_at)`,
        signedAt: sql`coalesce(${linkVisits.signedAt}, excluded.signed_at)`,
        payer: sql`coalesce(excluded.payer, ${linkVisits.payer})`,
        nonce: sql`coalesce(excluded.nonce, ${linkVisits.nonce})`,
      },
    });
}

/** Deletes up to `limit` visits that started before `cutoff`; returns how many. */
export const forgetVisits = (db: Queryable, cutoff: Date, limit: number): Promise<number> =>
  deleteSome(db, linkVisits, lt(linkVisits.viewedAt, cutoff), limit);

export async function countVisits(db: Queryable, linkId: LinkId, since: Date) {
  const [row] = await db
    .select({ viewed: count(), connected: count(linkVisits.connectedAt), signed: count(linkVisits.signedAt) })
    .from(linkVisits)
    .where(and(eq(linkVisits.linkId, linkId), gte(linkVisits.viewedAt, since)));
  return row ?? { viewed: 0, connected: 0, signed: 0 };
}

/**
 * Counts a link's settled payments: `settled` from visits that started since `since`, `byAgents` since then without a visit. A
 * payment that several visits claim is counted once.
 */
export async function countSettled(db: Queryable, { linkId, network }: Link, since: Date) {
  const named = db
    .select({ payer: linkVisits.payer, nonce: linkVisits.nonce, viewedAt: min(linkVisits.viewedAt).as("viewed_at") })
    .from(linkVisits)
    .where(and(eq(linkVisits.linkId, linkId), isNotNull(linkVisits.nonce)))
    .groupBy(linkVisits.payer, linkVisits.nonce)
    .as("named");
  const [row] = await db
    .select({
      settled: sql`count(*) filter (where ${gte(named.viewedAt, since)})`.mapWith(Number),
      byAgents: sql`count(*) filter (where ${isNull(named.nonce)} and ${gte(settlements.createdAt, since)})`.mapWith(
        Number,
      ),
    })
    .from(settlements)
    .leftJoin(named, and(eq(named.payer, settlements.payer), eq(named.nonce, settlements.nonce)))
    .where(
      and(
        eq(settlements.purpose, "link"),
        eq(settlements.subject, linkId),
        eq(settlements.network, network),
        eq(settlements.state, "settled"),
      ),
    );
  return row ?? { settled: 0, byAgents: 0 };
}

/** Adds a refusal and keeps the newest `maxCount` of its link. */
export async function addRefusal(
  db: Queryable,
  row: typeof linkRefusals.$inferInsert,
  maxCount: number,
): Promise<void> {
  await db.insert(linkRefusals).values(row);
  const { linkId } = row;
  const oldest = db
    .select({ id: linkRefusals.id })
    .from(linkRefusals)
    .where(eq(linkRefusals.linkId, linkId))
    .orderBy(desc(linkRefusals.id))
    .offset(maxCount)
    .limit(1);
  await db.delete(linkRefusals).where(and(eq(linkRefusals.linkId, linkId), lte(linkRefusals.id, sql`(${oldest})`)));
}

/** The cursor of a list of attempts. Payments come before refusals of the same time. */
export type AttemptCursor = { at: Date; id: SettlementId | number };
export type AttemptPage = { after?: AttemptCursor | undefined; limit: number };

/** Newest first. */
export const listPayments = (
  db: Queryable,
  linkId: LinkId,
  { after: cursor, limit }: AttemptPage,
): Promise<Settlement[]> =>
  db
    .select()
    .from(settlements)
    .where(
      and(
        eq(settlements.purpose, "link"),
        eq(settlements.subject, linkId),
        cursor &&
          (typeof cursor.id === "number"
            ? lt(settlements.createdAt, cursor.at)
            : sql`(${settlements.createdAt}, ${settlements.id}) < (${sql.param(cursor.at, settlements.createdAt)}, ${cursor.id})`),
      ),
    )
    .orderBy(desc(settlements.createdAt), desc(settlements.id))
    .limit(limit);

/** Newest first. */
export const listRefusals = (
  db: Queryable,
  linkId: LinkId,
  { after: cursor, limit }: AttemptPage,
): Promise<LinkRefusal[]> =>
  db
    .select()
    .from(linkRefusals)
    .where(
      and(
        eq(linkRefusals.linkId, linkId),
        cursor &&
          (typeof cursor.id === "number"
            ? sql`(${linkRefusals.createdAt}, ${linkRefusals.id}) < (${sql.param(cursor.at, linkRefusals.createdAt)}, ${cursor.id})`
            : lte(linkRefusals.createdAt, cursor.at)),
      ),
    )
    .orderBy(desc(linkRefusals.createdAt), desc(linkRefusals.id))
    .limit(limit);
