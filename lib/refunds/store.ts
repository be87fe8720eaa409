import { and, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, LinkId, OwnerId, RefundId, SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { receivedPayments } from "@/lib/links/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import type { Refund } from "./rules";
import { refunds } from "./tables";

const transfers = alias(settlements, "transfers");
type SettlementRow = typeof settlements.$inferSelect;

/** Whose sales: an agent's (for its current owner only), or an owner's. */
export type Party = { type: "agent"; agentId: AgentId } | { type: "owner"; ownerId: OwnerId };

/** Whose refunds. An agent has no access to refunds of a previous owner. */
const isRefundOf = (party: Party) =>
  party.type === "agent"
    ? and(
        eq(refunds.agentId, party.agentId),
        // With a join, PostgreSQL would sort all refunds instead of reading the index in order.
        eq(refunds.ownerId, sql`(select ${agents.ownerId} from ${agents} where ${agents.id} = ${party.agentId})`),
      )
    : eq(refunds.ownerId, party.ownerId);

/** The owner and agent of a sale, and its source. */
export type SaleParties = {
  paymentId: number;
  agentId: AgentId;
  agentName: string;
  ownerId: OwnerId;
  linkId: (typeof receivedPayments.$inferSelect)["linkId"];
  source: (typeof receivedPayments.$inferSelect)["source"];
};

/** A sale with the settlement that paid it. */
export type PaidSale = { sale: SaleParties; paid: SettlementRow };
/** A refund, its payment, and its transfer once it is approved. */
export type FullRefund = PaidSale & { refund: Refund; transfer: SettlementRow | null };

const SALE = {
  paymentId: receivedPayments.id,
  agentId: receivedPayments.agentId,
  agentName: agents.name,
  ownerId: receivedPayments.ownerId,
  linkId: receivedPayments.linkId,
  source: receivedPayments.source,
};

/** Only the paid owner can refund: an agent has no access to the sales of a previous owner. */
export async function findSale(db: Queryable, party: Party, paymentId: number): Promise<PaidSale | null> {
  const isOfParty =
    party.type === "agent"
      ? and(eq(agents.id, party.agentId), eq(receivedPayments.ownerId, agents.ownerId))
      : eq(receivedPayments.ownerId, party.ownerId);
  const [row] = await db
    .select({ sale: SALE, paid: settlements })
    .from(receivedPayments)
    .innerJoin(agents, eq(agents.id, receivedPayments.agentId))
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(and(eq(receivedPayments.id, paymentId), isOfParty));
  return row ?? null;
}

/** Locks the payment until `tx` ends, so that its refunds are serialised. */
export async function lockPayment(tx: Tx, paymentId: number): Promise<void> {
  await tx
    .select({ id: receivedPayments.id })
    .from(receivedPayments)
    .where(eq(receivedPayments.id, paymentId))
    .for("update");
}

/** The paid amount and owner, with the settlement locked against reorganisation until `tx` ends. `paid`: null when it is not settled. */
export async function paidFor(tx: Tx, paymentId: number): Promise<{ paid: Usdc | null; ownerId: OwnerId }> {
  const [row] = await tx
    .select({ amount: settlements.amount, state: settlements.state, ownerId: receivedPayments.ownerId })
    .from(receivedPayments)
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .where(eq(receivedPayments.id, paymentId))
    .for("share", { of: settlements });
  if (!row) throw new Error(`payment ${paymentId} is gone`);
  return { paid: row.state === "settled" ? row.amount : null, ownerId: row.ownerId };
}

/** The transfer moved money or still can. */
const isAlive = ne(transfers.state, "void");

/** The sum reserved by refunds of the payment: those that can be approved at `now`, can still move, or are paid. */
export async function sumReservedRefunds(db: Queryable, paymentId: number, now: Date): Promise<Usdc> {
  const isWaiting = and(isNull(refunds.settlementId), isNull(refunds.cancelledAt), gt(refunds.expiresAt, now));
  return sumOf(db, paymentId, or(isWaiting, isAlive));
}

/** The sum that refunds of the payment have moved or can still move, without `except`. */
export const sumLiveRefunds = (db: Queryable, paymentId: number, except: RefundId): Promise<Usdc> =>
  sumOf(db, paymentId, and(isAlive, ne(refunds.refundId, except)));

async function sumOf(db: Queryable, paymentId: number, which: ReturnType<typeof and>): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql<string | null>`sum(${refunds.amount})` })
    .from(refunds)
    .leftJoin(transfers, eq(transfers.id, refunds.settlementId))
    .where(and(eq(refunds.paymentId, paymentId), which));
  return row?.total ? toUsdc(BigInt(row.total)) : ZERO;
}

/** The sum of other paid refunds of the same payment. */
export const refundedByOthers = (db: Queryable, { paymentId, refundId }: Refund): Promise<Usdc> =>
  sumOf(db, paymentId, and(eq(transfers.state, "settled"), ne(refunds.refundId, refundId)));

/** The refunded sum of each payment; payments without a paid refund are missing. */
export async function refundedOf(db: Queryable, paymentIds: readonly number[]): Promise<Map<number, Usdc>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await db
    .select({ paymentId: refunds.paymentId, total: sql<string>`sum(${refunds.amount})` })
    .from(refunds)
    .innerJoin(transfers, and(eq(transfers.id, refunds.settlementId), eq(transfers.state, "settled")))
    .where(inArray(refunds.paymentId, [...paymentIds]))
    .groupBy(refunds.paymentId);
  return new Map(rows.map(({ paymentId, total }) => [paymentId, toUsdc(BigInt(total))]));
}

/** The refunded sum of the sale that a settlement paid; zero if it paid none. */
export async function sumRefunded(db: Queryable, settlementId: SettlementId): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql<string | null>`sum(${refunds.amount})` })
    .from(receivedPayments)
    .innerJoin(refunds, eq(refunds.paymentId, receivedPayments.id))
    .innerJoin(transfers, and(eq(transfers.id, refunds.settlementId), eq(transfers.state, "settled")))
    .where(eq(receivedPayments.settlementId, settlementId));
  return row?.total ? toUsdc(BigInt(row.total)) : ZERO;
}

/** The newest refund transfers of the settlement's sale that have settled or can still settle. */
export async function transfersFor(db: Queryable, settlementId: SettlementId, limit: number): Promise<SettlementRow[]> {
  const rows = await db
    .select({ transfer: transfers })
    .from(receivedPayments)
    .innerJoin(refunds, eq(refunds.paymentId, receivedPayments.id))
    .innerJoin(transfers, eq(transfers.id, refunds.settlementId))
    .where(and(eq(receivedPayments.settlementId, settlementId), isAlive))
    .orderBy(desc(refunds.id))
    .limit(limit);
  return rows.map(({ transfer }) => transfer);
}

/** The ids of the owner's fully refunded sales. */
export async function refundedIds(db: Queryable, ownerId: OwnerId): Promise<number[]> {
  const rows = await db
    .select({ paymentId: refunds.paymentId })
    .from(refunds)
    .innerJoin(transfers, and(eq(transfers.id, refunds.settlementId), eq(transfers.state, "settled")))
    .innerJoin(receivedPayments, and(eq(receivedPayments.id, refunds.paymentId), eq(receivedPayments.ownerId, ownerId)))
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .groupBy(refunds.paymentId, settlements.amount)
    .having(sql`sum(${refunds.amount}) >= ${settlements.amount}`);
  return rows.map((row) => row.paymentId);
}

/** The sum of paid refunds of the owner's settled sales of a link, and their number. */
export async function refundedAtLink(
  db: Queryable,
  ownerId: OwnerId,
  linkId: LinkId,
): Promise<{ refunded: Usdc; refunds: number }> {
  const [row] = await db
    .select({ total: sql<string | null>`sum(${refunds.amount})`, count: sql<number>`count(*)`.mapWith(Number) })
    .from(receivedPayments)
    .innerJoin(settlements, and(eq(settlements.id, receivedPayments.settlementId), eq(settlements.state, "settled")))
    .innerJoin(refunds, eq(refunds.paymentId, receivedPayments.id))
    .innerJoin(transfers, and(eq(transfers.id, refunds.settlementId), eq(transfers.state, "settled")))
    .where(and(eq(receivedPayments.linkId, linkId), eq(receivedPayments.ownerId, ownerId)));
  return { refunded: row?.total ? toUsdc(BigInt(row.total)) : ZERO, refunds: row?.count ?? 0 };
}

/** The newest refunds of a link's payments. */
export async function idsOfLink(db: Queryable, linkId: LinkId, limit: number): Promise<RefundId[]> {
  const rows = await db
    .select({ refundId: refunds.refundId })
    .from(refunds)
    .innerJoin(receivedPayments, and(eq(receivedPayments.id, refunds.paymentId), eq(receivedPayments.linkId, linkId)))
    .orderBy(desc(refunds.id))
    .limit(limit);
  return rows.map((row) => row.refundId);
}

export async function add(tx: Tx, row: typeof refunds.$inferInsert): Promise<Refund> {
  const [refund] = await tx.insert(refunds).values(row).returning();
  if (!refund) throw new Error("an inserted refund came back empty");
  return refund;
}

/** Locks the refund until `tx` ends. */
export async function lock(tx: Tx, refundId: RefundId): Promise<Refund | null> {
  const [row] = await tx.select().from(refunds).where(eq(refunds.refundId, refundId)).for("update");
  return row ?? null;
}

/** The refund's transfer, or null. A query after `lock`, because a join would return the row as it was before waiting for the lock. */
export async function transferOf(tx: Tx, { settlementId }: Refund): Promise<SettlementRow | null> {
  if (settlementId === null) return null;
  const [row] = await tx.select().from(settlements).where(eq(settlements.id, settlementId));
  if (!row) throw new Error(`${settlementId} is gone`);
  return row;
}

export async function change(
  tx: Tx,
  refundId: RefundId,
  set: Partial<Pick<Refund, "settlementId" | "approvedAt" | "cancelledAt" | "cancelledBy">>,
): Promise<void> {
  await tx.update(refunds).set(set).where(eq(refunds.refundId, refundId));
}

const fullRefunds = (db: Queryable) =>
  db
    .select({ refund: refunds, sale: SALE, paid: settlements, transfer: transfers })
    .from(refunds)
    .innerJoin(receivedPayments, eq(receivedPayments.id, refunds.paymentId))
    .innerJoin(agents, eq(agents.id, refunds.agentId))
    .innerJoin(settlements, eq(settlements.id, receivedPayments.settlementId))
    .leftJoin(transfers, eq(transfers.id, refunds.settlementId));

export async function find(db: Queryable, party: Party, refundId: RefundId): Promise<FullRefund | null> {
  const [row] = await fullRefunds(db).where(and(eq(refunds.refundId, refundId), isRefundOf(party)));
  return row ?? null;
}

export type RefundPage = { before?: number | undefined; offset?: number | undefined; limit: number };
export type RefundFilter = { paymentId?: number | undefined; waitingAt?: Date | undefined };

/**
 * Newest first. With `waitingAt`, only refunds that wait for approval then, the newest of each agent first, so that one agent
 * cannot hide another's requests.
 */
export const list = (
  db: Queryable,
  party: Party,
  { paymentId, waitingAt, before: cursor, offset, limit }: RefundFilter & RefundPage,
): Promise<FullRefund[]> =>
  fullRefunds(db)
    .where(
      and(
        isRefundOf(party),
        paymentId === undefined ? undefined : eq(refunds.paymentId, paymentId),
        waitingAt && and(isNull(refunds.settlementId), isNull(refunds.cancelledAt), gt(refunds.expiresAt, waitingAt)),
        cursor === undefined ? undefined : lt(refunds.id, cursor),
      ),
    )
    .orderBy(
      ...(waitingAt ? [sql`row_number() over (partition by ${refunds.agentId} order by ${refunds.id} desc)`] : []),
      desc(refunds.id),
    )
    .limit(limit)
    .offset(offset ?? 0);
