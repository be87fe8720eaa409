import { and, asc, count, desc, eq, exists, getTableColumns, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { KnownAgent } from "@/lib/agents/service";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, LinkId, OwnerId, SettlementId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Queryable } from "@/lib/platform/db";
import { type SettlementState, settlements, UNENDED_LIST } from "@/lib/settlements/tables";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { Link } from "../rules";
import { paymentLinks, type ReceivedSource, receivedPayments } from "../tables";
import type { TimeSpan, Window } from "./periods";

// An owner's sales, including those through agents that were deleted or have another owner now. Every sale is one row of
// received_payments and one settlement, with the same agent and creation time.

export type SalesTotals = {
  network: NetworkName;
  isCurrent: boolean;
  volume: Usdc;
  settled: number;
  failed: number;
  pending: number;
  payers: number;
};

const within = ({ from, to }: TimeSpan) =>
  and(gte(receivedPayments.createdAt, from), lt(receivedPayments.createdAt, to));

const isSettled = sql`${settlements.state} = 'settled'`;
const countOf = (which: SQL) => sql<number>`count(*) filter (where ${which})`.mapWith(Number);
const volume = sql`coalesce(sum(${settlements.amount}) filter (where ${isSettled}), 0)`.mapWith(settlements.amount);

/** Sums for both spans of a window, per network with sales. */
export const totals = (db: Queryable, ownerId: OwnerId, { current, previous }: Window): Promise<SalesTotals[]> => {
  const isCurrent = sql<boolean>`${receivedPayments.createdAt} >= ${sql.param(current.from, receivedPayments.createdAt)}`;
  return db
    .select({
      network: settlements.network,
      isCurrent: isCurrent.as("is_current"),
      volume,
      settled: countOf(isSettled),
      failed: countOf(sql`${settlements.state} = 'void'`),
      pending: countOf(sql`${settlements.state} in ${UNENDED_LIST}`),
      payers: sql<number>`count(distinct ${settlements.payer}) filter (where ${isSettled})`.mapWith(Number),
    })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(and(eq(receivedPayments.ownerId, ownerId), or(within(current), within(previous))))
    .groupBy(settlements.network, sql`is_current`);
};

export type SalesDay = { startsAt: Date; volume: Usdc; payments: number };

/** Settled sales per UTC day; days without sales are missing. */
export const days = (db: Queryable, ownerId: OwnerId, network: NetworkName, span: TimeSpan): Promise<SalesDay[]> =>
  db
    .select({
      startsAt: sql`date_trunc('day', ${receivedPayments.createdAt}, 'UTC')`
        .mapWith(receivedPayments.createdAt)
        .as("at"),
      volume,
      payments: countOf(isSettled),
    })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(and(eq(receivedPayments.ownerId, ownerId), eq(settlements.network, network), isSettled, within(span)))
    .groupBy(sql`at`);

// The next two use the index on link, so that the sales of other links cost nothing.

const isSettledAt = (ownerId: OwnerId, linkId: LinkId) =>
  and(eq(receivedPayments.linkId, linkId), eq(receivedPayments.ownerId, ownerId), isSettled);

/** The owner's settled sales at one link. */
export async function totalsOfLink(
  db: Queryable,
  ownerId: OwnerId,
  linkId: LinkId,
): Promise<{ volume: Usdc; payments: number }> {
  const [row] = await db
    .select({ volume, payments: countOf(isSettled) })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(isSettledAt(ownerId, linkId));
  if (!row) throw new Error("a sum without groups has one row");
  return row;
}

/** The owner's settled sales at one link per UTC day; days without sales are missing. */
export const daysOfLink = (db: Queryable, ownerId: OwnerId, linkId: LinkId, span: TimeSpan): Promise<SalesDay[]> =>
  db
    .select({
      startsAt: sql`date_trunc('day', ${receivedPayments.createdAt}, 'UTC')`
        .mapWith(receivedPayments.createdAt)
        .as("at"),
      volume,
      payments: countOf(isSettled),
    })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(and(isSettledAt(ownerId, linkId), within(span)))
    .groupBy(sql`at`);

/** A sale in lists and exports, without the content. */
export type Sale = {
  received: Omit<typeof receivedPayments.$inferSelect, "content">;
  settlement: typeof settlements.$inferSelect;
  agentName: string;
  /** The link's current data; null for a payment to an agent's address. */
  link:
    | ({ linkId: LinkId; description: string; isDeleted: boolean } & Pick<Link, "title" | "reference" | "metadata">)
    | null;
};

export type SaleFilter = {
  ids?: readonly number[] | undefined;
  exceptIds?: readonly number[] | undefined;
  agentId?: AgentId | undefined;
  linkId?: LinkId | undefined;
  payer?: Address | undefined;
  txHash?: Hex | undefined;
  states?: readonly SettlementState[] | undefined;
  source?: ReceivedSource | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};

const { content, ...listed } = getTableColumns(receivedPayments);
const columns = {
  received: listed,
  settlement: settlements,
  agentName: agents.name,
  link: {
    linkId: paymentLinks.linkId,
    title: paymentLinks.title,
    description: paymentLinks.description,
    reference: paymentLinks.reference,
    metadata: paymentLinks.metadata,
    /** The link or its agent is deleted, or the agent has another owner: the paid owner can no longer open it. */
    isDeleted: sql<boolean>`${paymentLinks.deletedAt} is not null or ${agents.deletedAt} is not null
      or ${agents.ownerId} is distinct from ${receivedPayments.ownerId}`,
  },
};

const USDC = NETWORK_NAMES.map((name) => NETWORKS[name].usdc);

const matches = ({ ids, exceptIds, agentId, linkId, payer, txHash, states, source, from, to }: SaleFilter) =>
  and(
    // An array passes all ids as one parameter.
    ids && sql`${receivedPayments.id} = any(${sql.param([...ids])}::bigint[])`,
    exceptIds && sql`${receivedPayments.id} <> all(${sql.param([...exceptIds])}::bigint[])`,
    agentId && eq(receivedPayments.agentId, agentId),
    linkId && eq(receivedPayments.linkId, linkId),
    // All leading columns of the index settlements_authorization.
    payer &&
      and(
        eq(settlements.payer, payer),
        inArray(settlements.network, [...NETWORK_NAMES]),
        inArray(settlements.asset, USDC),
      ),
    txHash && eq(settlements.txHash, txHash),
    states && inArray(settlements.state, [...states]),
    source && eq(receivedPayments.source, source),
    from && gte(settlements.createdAt, from),
    to && lt(settlements.createdAt, to),
  );

/** Newest first. Reads along the index on owner, so a page costs the same for any number of sales, unless few of them match. */
export const listSales = (
  db: Queryable,
  ownerId: OwnerId,
  filter: SaleFilter,
  { before: cursor, limit }: { before?: number | undefined; limit: number },
): Promise<Sale[]> =>
  db
    .select(columns)
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .innerJoin(agents, eq(agents.id, receivedPayments.agentId))
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(
      and(
        eq(receivedPayments.ownerId, ownerId),
        cursor === undefined ? undefined : lt(receivedPayments.id, cursor),
        matches(filter),
      ),
    )
    .orderBy(desc(receivedPayments.id))
    .limit(limit);

/** The number of the owner's sales, counted up to `max`. */
export async function countSales(db: Queryable, ownerId: OwnerId, max: number): Promise<number> {
  const some = db
    .select({ id: receivedPayments.id })
    .from(receivedPayments)
    .where(eq(receivedPayments.ownerId, ownerId))
    .orderBy(desc(receivedPayments.id))
    .limit(max)
    .as("some");
  const [row] = await db.select({ sales: count() }).from(some);
  return row?.sales ?? 0;
}

export type SaleWithContent = Sale & { content: string | null };

export async function findSale(db: Queryable, ownerId: OwnerId, id: number): Promise<SaleWithContent | null> {
  const [row] = await db
    .select({ ...columns, content })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .innerJoin(agents, eq(agents.id, receivedPayments.agentId))
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(and(eq(receivedPayments.id, id), eq(receivedPayments.ownerId, ownerId)));
  return row ?? null;
}

export async function findBySettlement(
  db: Queryable,
  ownerId: OwnerId,
  settlementId: SettlementId,
): Promise<Sale | null> {
  const [row] = await db
    .select(columns)
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .innerJoin(agents, eq(agents.id, receivedPayments.agentId))
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(and(eq(receivedPayments.settlementId, settlementId), eq(receivedPayments.ownerId, ownerId)));
  return row ?? null;
}

/** Whether the link belongs to an agent of the owner, deleted or not, or the owner was paid at it. */
export async function isLinkOf(db: Queryable, ownerId: OwnerId, linkId: LinkId): Promise<boolean> {
  const wasPaid = exists(
    db
      .select({ id: receivedPayments.id })
      .from(receivedPayments)
      .where(and(eq(receivedPayments.linkId, linkId), eq(receivedPayments.ownerId, ownerId))),
  );
  const [row] = await db
    .select({ linkId: paymentLinks.linkId })
    .from(paymentLinks)
    .innerJoin(agents, eq(agents.id, paymentLinks.agentId))
    .where(and(eq(paymentLinks.linkId, linkId), or(eq(agents.ownerId, ownerId), wasPaid)));
  return row !== undefined;
}

/** Agents through which the owner was paid and that now have another owner or none, oldest first. */
export const listFormer = (db: Queryable, ownerId: OwnerId): Promise<KnownAgent[]> =>
  db
    .select({ id: agents.id, name: agents.name, isDeleted: sql<boolean>`${agents.deletedAt} is not null` })
    .from(agents)
    .where(
      and(
        inArray(
          agents.id,
          db
            .selectDistinct({ agentId: receivedPayments.agentId })
            .from(receivedPayments)
            .where(eq(receivedPayments.ownerId, ownerId)),
        ),
        sql`${agents.ownerId} is distinct from ${ownerId}`,
      ),
    )
    .orderBy(asc(agents.createdAt), asc(agents.id));
