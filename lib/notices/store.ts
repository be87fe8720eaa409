import { and, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { AgentId, MandateId, OwnerId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import type { Queryable } from "@/lib/platform/db";
import type { NoticeKind } from "./kinds";
import type { Written } from "./quotas";
import type { BudgetUse } from "./rules";
import { mails, noticeSettings } from "./tables";

export type Settings = typeof noticeSettings.$inferSelect;

export async function find(db: Queryable, ownerId: OwnerId): Promise<Settings | null> {
  const [row] = await db.select().from(noticeSettings).where(eq(noticeSettings.ownerId, ownerId));
  return row ?? null;
}

export async function save(db: Queryable, row: Settings): Promise<Settings> {
  const { ownerId: _, ...set } = row;
  await db.insert(noticeSettings).values(row).onConflictDoUpdate({ target: noticeSettings.ownerId, set });
  return row;
}

/** Confirms the address if it is still `email`; otherwise null. Idempotent. */
export async function confirm(
  db: Queryable,
  ownerId: OwnerId,
  email: string,
  time: Date,
): Promise<"now" | "before" | null> {
  const isMeant = and(eq(noticeSettings.ownerId, ownerId), eq(noticeSettings.email, email));
  const { rowCount } = await db
    .update(noticeSettings)
    .set({ confirmedAt: time })
    .where(and(isMeant, isNull(noticeSettings.confirmedAt)));
  if (rowCount) return "now";
  const rows = await db.select({ ownerId: noticeSettings.ownerId }).from(noticeSettings).where(isMeant);
  return rows.length > 0 ? "before" : null;
}

/** Ends all mails to the owner. False if they were already ended. */
export async function unsubscribe(db: Queryable, ownerId: OwnerId, time: Date): Promise<boolean> {
  const { rowCount } = await db
    .update(noticeSettings)
    .set({ kinds: [], updatedAt: time })
    .where(and(eq(noticeSettings.ownerId, ownerId), sql`cardinality(${noticeSettings.kinds}) > 0`));
  await dropWaiting(db, ownerId);
  return Boolean(rowCount);
}

/** Drops unsent mails after the owner has changed the address or unsubscribed. */
export async function dropWaiting(db: Queryable, ownerId: OwnerId): Promise<void> {
  await db.delete(mails).where(and(eq(mails.ownerId, ownerId), eq(mails.state, "waiting")));
}

export type MailRecipient = { ownerId: OwnerId; email: string; kinds: NoticeKind[] };

/** The owners among `ids` with a confirmed address and at least one kind. */
export async function recipientsAmong(db: Queryable, ids: readonly OwnerId[]): Promise<MailRecipient[]> {
  const rows = await db
    .select({ ownerId: noticeSettings.ownerId, email: noticeSettings.email, kinds: noticeSettings.kinds })
    .from(noticeSettings)
    .where(
      and(
        inArray(noticeSettings.ownerId, [...ids]),
        isNotNull(noticeSettings.confirmedAt),
        sql`cardinality(${noticeSettings.kinds}) > 0`,
      ),
    );
  return rows.flatMap(({ email, ...row }) => (email === null ? [] : [{ ...row, email }]));
}

export async function namesOf(db: Queryable, ids: readonly AgentId[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(inArray(agents.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function budgetsOf(
  db: Queryable,
  ids: readonly MandateId[],
): Promise<(BudgetUse & { ownerId: OwnerId | null })[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ mandate: mandates, agentName: agents.name })
    .from(mandates)
    .innerJoin(agents, eq(agents.id, mandates.agentId))
    .where(inArray(mandates.id, [...ids]));
  return rows.map(({ mandate: m, agentName }) => ({
    mandateId: m.id,
    ownerId: m.ownerId,
    agentName,
    network: m.network,
    limit: m.limitAmount,
    used: m.spentAmount + m.pendingAmount,
  }));
}

/** Queues mails. An owner gets at most one mail about the same thing. */
export async function add(db: Queryable, rows: readonly (typeof mails.$inferInsert)[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insert(mails)
      .values([...rows])
      .onConflictDoNothing();
}

/** Counts the mails written since `since`. */
export const countSince = (db: Queryable, ids: readonly OwnerId[], since: Date): Promise<Written[]> =>
  db
    .select({ id: mails.ownerId, quota: mails.quota, count: sql<number>`count(*)::int` })
    .from(mails)
    .where(and(inArray(mails.ownerId, [...ids]), gt(mails.createdAt, since)))
    .groupBy(mails.ownerId, mails.quota);
