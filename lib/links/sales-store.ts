import { and, desc, eq, getTableColumns, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, LinkId, OwnerId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { Queryable } from "@/lib/platform/db";
import { SALES, type SettlementState, settlements } from "@/lib/settlements/tables";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { Span, Window } from "./periods";
import { paymentLinks, type ReceivedSource, receivedPayments } from "./tables";

// What an owner's agents were paid, those that were deleted included. Every sale is one row of received_payments and one
// settlement, of the same agent and moment.

export type Totals = {
  network: NetworkName;
  isCurrent: boolean;
  volume: Usdc;
  settled: number;
  failed: number;
  pending: number;
  payers: number;
};

/** One parameter however many agents there are. */
const isSaleOf = (agentIds: readonly AgentId[]) =>
  and(sql`${settlements.agentId} = any(${sql.param([...agentIds])}::uuid[])`, inArray(settlements.purpose, [...SALES]));

const within = ({ from, to }: Span) => and(gte(settlements.createdAt, from), lt(settlements.createdAt, to));

const UNENDED = sql`('claimed', 'prepared', 'broadcast', 'declined')`;
const isSettled = sql`${settlements.state} = 'settled'`;
const countOf = (which: SQL) => sql<number>`count(*) filter (where ${which})`.mapWith(Number);
const volume = sql`coalesce(sum(${settlements.amount}) filter (where ${isSettled}), 0)`.mapWith(settlements.amount);

/** Sums over both spans of a window, for each network that was sold on. */
export const totals = (
  db: Queryable,
  agentIds: readonly AgentId[],
  { current, previous }: Window,
): Promise<Totals[]> => {
  const isCurrent = sql<boolean>`${settlements.createdAt} >= ${sql.param(current.from, settlements.createdAt)}`;
  return db
    .select({
      network: settlements.network,
      isCurrent: isCurrent.as("is_current"),
      volume,
      settled: countOf(isSettled),
      failed: countOf(sql`${settlements.state} = 'void'`),
      pending: countOf(sql`${settlements.state} in ${UNENDED}`),
      payers: sql<number>`count(distinct ${settlements.payer}) filter (where ${isSettled})`.mapWith(Number),
    })
    .from(settlements)
    .where(and(isSaleOf(agentIds), or(within(current), within(previous))))
    .groupBy(settlements.network, sql`is_current`);
};

export type Day = { at: Date; volume: Usdc; payments: number };

/** What was settled on each day of UTC that had any. */
export const days = (db: Queryable, agentIds: readonly AgentId[], network: NetworkName, span: Span): Promise<Day[]> =>
  db
    .select({
      at: sql`date_trunc('day', ${settlements.createdAt}, 'UTC')`.mapWith(settlements.createdAt).as("at"),
      volume,
      payments: countOf(isSettled),
    })
    .from(settlements)
    .where(and(isSaleOf(agentIds), eq(settlements.network, network), isSettled, within(span)))
    .groupBy(sql`at`);

/** A sale as lists and files tell it; what was sold would only weigh on them. */
export type Sale = {
  received: Omit<typeof receivedPayments.$inferSelect, "content">;
  settlement: typeof settlements.$inferSelect;
  agentName: string;
  /** As it is now; null for a payment to an agent's address. */
  link: { linkId: LinkId; description: string; isDeleted: boolean } | null;
};

export type SaleFilter = {
  /** Only these. */
  ids?: readonly number[] | undefined;
  exceptIds?: readonly number[] | undefined;
  linkId?: LinkId | undefined;
  payer?: Address | undefined;
  txHash?: Hex | undefined;
  states?: readonly SettlementState[] | undefined;
  source?: ReceivedSource | undefined;
  from?: Date | undefined;
  /** The moment before which a sale was made. */
  to?: Date | undefined;
};

const { content, ...listed } = getTableColumns(receivedPayments);
const columns = {
  received: listed,
  settlement: settlements,
  agentName: agents.name,
  link: {
    linkId: paymentLinks.linkId,
    description: paymentLinks.description,
    /** It, or its agent: nobody can open it any more. */
    isDeleted: sql<boolean>`${paymentLinks.deletedAt} is not null or ${agents.deletedAt} is not null`,
  },
};

const USDC = NETWORK_NAMES.map((name) => NETWORKS[name].usdc);

const matches = ({ ids, exceptIds, linkId, payer, txHash, states, source, from, to }: SaleFilter) =>
  and(
    // One parameter however many there are.
    ids && sql`${receivedPayments.id} = any(${sql.param([...ids])}::bigint[])`,
    exceptIds && sql`${receivedPayments.id} <> all(${sql.param([...exceptIds])}::bigint[])`,
    linkId && eq(receivedPayments.linkId, linkId),
    // The first columns of the index that leads to a payer.
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

/**
 * Newest first: what these agents were paid. Each agent's newest are read along its own index and merged, so that a page costs
 * the same however much was sold, unless hardly anything of it matches.
 */
export function listSales(
  db: Queryable,
  agentIds: readonly AgentId[],
  filter: SaleFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Sale[]> {
  const ofAgent = db
    .select({ id: receivedPayments.id })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(
      and(
        sql`${receivedPayments.agentId} = agent.id`,
        before === undefined ? undefined : lt(receivedPayments.id, before),
        matches(filter),
      ),
    )
    .orderBy(desc(receivedPayments.id))
    .limit(limit)
    .as("of_agent");
  const newest = db
    .select({ id: ofAgent.id })
    .from(sql`unnest(${sql.param([...agentIds])}::uuid[]) as agent(id)`)
    .crossJoinLateral(ofAgent)
    .orderBy(desc(ofAgent.id))
    .limit(limit);
  return db
    .select(columns)
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .innerJoin(agents, eq(agents.id, receivedPayments.agentId))
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(inArray(receivedPayments.id, newest))
    .orderBy(desc(receivedPayments.id));
}

export type WholeSale = Sale & { content: string | null };

export async function findSale(db: Queryable, ownerId: OwnerId, id: number): Promise<WholeSale | null> {
  const [row] = await db
    .select({ ...columns, content })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .innerJoin(agents, eq(agents.id, receivedPayments.agentId))
    .leftJoin(paymentLinks, eq(paymentLinks.linkId, receivedPayments.linkId))
    .where(and(eq(receivedPayments.id, id), eq(agents.ownerId, ownerId)));
  return row ?? null;
}

/** Whether the owner's agents ever made this link, deleted or not. */
export async function isLinkOf(db: Queryable, ownerId: OwnerId, linkId: LinkId): Promise<boolean> {
  const [row] = await db
    .select({ linkId: paymentLinks.linkId })
    .from(paymentLinks)
    .innerJoin(agents, eq(agents.id, paymentLinks.agentId))
    .where(and(eq(paymentLinks.linkId, linkId), eq(agents.ownerId, ownerId)));
  return row !== undefined;
}
