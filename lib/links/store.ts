import { and, desc, eq, getTableColumns, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import type { AgentId, LinkId, SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import type { Link, Uses } from "./rules";
import { paymentLinks, receivedPayments } from "./tables";

export type CountedLink = { link: Link; uses: Uses };
export type LinkChange = Partial<
  Pick<Link, "description" | "resourceContent" | "redirectUrl" | "status" | "expiresAt" | "maxUses" | "deletedAt">
> & { updatedAt: Date };

const isLiving = isNull(paymentLinks.deletedAt);
const isOf = (agentId: AgentId) => and(eq(paymentLinks.agentId, agentId), isLiving);

const OPEN = sql`('claimed', 'prepared', 'broadcast')`;
const settledUses = sql<number>`count(*) filter (where ${settlements.state} = 'settled')`.mapWith(Number);
const openUses = sql<number>`count(*) filter (where ${settlements.state} in ${OPEN})`.mapWith(Number);

export async function add(db: Queryable, row: typeof paymentLinks.$inferInsert): Promise<Link> {
  const [link] = await db.insert(paymentLinks).values(row).returning();
  if (!link) throw new Error("an inserted link came back empty");
  return link;
}

export async function find(db: Queryable, linkId: LinkId): Promise<Link | null> {
  const [row] = await db
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isLiving));
  return row ?? null;
}

/** The agent's link, kept from changing, and from being paid, for the rest of `tx`. */
export async function lockOwn(tx: Tx, agentId: AgentId, linkId: LinkId): Promise<Link | null> {
  const [row] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isOf(agentId)))
    .for("update");
  return row ?? null;
}

export async function lock(tx: Tx, linkId: LinkId): Promise<Link | null> {
  const [row] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isLiving))
    .for("update");
  return row ?? null;
}

export async function findOwn(db: Queryable, agentId: AgentId, linkId: LinkId): Promise<Link | null> {
  const [row] = await db
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.linkId, linkId), isOf(agentId)));
  return row ?? null;
}

export async function change(tx: Tx, linkId: LinkId, set: LinkChange): Promise<Link> {
  const [row] = await tx.update(paymentLinks).set(set).where(eq(paymentLinks.linkId, linkId)).returning();
  if (!row) throw new Error("a locked link is gone");
  return row;
}

/** Newest first. */
export const listOwn = (
  db: Queryable,
  agentId: AgentId,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Link[]> =>
  db
    .select()
    .from(paymentLinks)
    .where(and(isOf(agentId), before === undefined ? undefined : lt(paymentLinks.id, before)))
    .orderBy(desc(paymentLinks.id))
    .limit(limit);

/** How often each link was paid, or is being paid, not counting the settlement `except`. */
export async function usesOf(
  db: Queryable,
  linkIds: readonly LinkId[],
  except?: SettlementId,
): Promise<(linkId: LinkId) => Uses> {
  const rows =
    linkIds.length === 0
      ? []
      : await db
          .select({ linkId: settlements.subject, settled: settledUses, open: openUses })
          .from(settlements)
          .where(
            and(
              eq(settlements.purpose, "link"),
              inArray(settlements.subject, [...linkIds]),
              except && ne(settlements.id, except),
            ),
          )
          .groupBy(settlements.subject);
  const byId = new Map<string, Uses>(rows.map(({ linkId, ...uses }) => [linkId, uses]));
  return (linkId) => byId.get(linkId) ?? { settled: 0, open: 0 };
}

// What was received

/** Whoever is paid knows what they sold; it would only weigh on their lists. */
const { content: _, ...listed } = getTableColumns(receivedPayments);

export type Received = {
  received: Omit<typeof receivedPayments.$inferSelect, "content">;
  settlement: typeof settlements.$inferSelect;
};

export async function addReceived(tx: Tx, row: typeof receivedPayments.$inferInsert): Promise<void> {
  await tx.insert(receivedPayments).values(row);
}

export type ReceivedPage = { before?: number | undefined; offset?: number | undefined; limit: number };

/** Newest first: what the agent was paid, at all of its addresses or at one link. */
export const listReceived = (
  db: Queryable,
  agentId: AgentId,
  { linkId, before, offset, limit }: ReceivedPage & { linkId?: LinkId | undefined },
): Promise<Received[]> =>
  db
    .select({ received: listed, settlement: settlements })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(
      and(
        eq(receivedPayments.agentId, agentId),
        linkId && eq(receivedPayments.linkId, linkId),
        before === undefined ? undefined : lt(receivedPayments.id, before),
      ),
    )
    .orderBy(desc(receivedPayments.id))
    .limit(limit)
    .offset(offset ?? 0);

export async function findReceived(db: Queryable, agentId: AgentId, id: number): Promise<Received | null> {
  const [row] = await db
    .select({ received: listed, settlement: settlements })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(and(eq(receivedPayments.id, id), eq(receivedPayments.agentId, agentId)));
  return row ?? null;
}

/** What was sold at a link; null when the settlement paid none. A link that was changed or deleted since makes no difference. */
export async function findSold(db: Queryable, settlementId: SettlementId): Promise<{ content: string | null } | null> {
  const [row] = await db
    .select({ content: receivedPayments.content })
    .from(receivedPayments)
    .where(and(eq(receivedPayments.settlementId, settlementId), eq(receivedPayments.source, "payment_link")));
  return row ?? null;
}
