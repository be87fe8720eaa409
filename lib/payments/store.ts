import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  notExists,
  notInArray,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId, PaymentId, SettlementId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import type { Cursor } from "@/lib/core/page";
import { mandates, type ReservationState, reservations } from "@/lib/mandates/tables";
import type { Queryable } from "@/lib/platform/db";
import { isOwnersOwn, settlements, UNENDED } from "@/lib/settlements/tables";
import { vaults } from "@/lib/vaults/tables";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { statusOf } from "./rules";
import { type PaymentStatus, payments } from "./tables";

const { network, payer, payee, amount, nonce, validBefore, state, isSubmitted, txHash, blockNumber, endedAt } =
  reservations;

/** The columns of a payment: its own and those of its reservation. */
export const PAYMENT = {
  ...getTableColumns(payments),
  network,
  payer,
  payee,
  amount,
  nonce,
  validBefore,
  state,
  isSubmitted,
  txHash,
  blockNumber,
  endedAt,
};

type Row = typeof payments.$inferSelect &
  Pick<
    typeof reservations.$inferSelect,
    | ("network" | "payer" | "payee" | "amount" | "nonce" | "validBefore")
    | ("state" | "isSubmitted" | "txHash" | "blockNumber" | "endedAt")
  >;
/** A payment with its authorization and its status. `settledAt`: the time of the block, or of the spending of credits. */
export type Payment = Omit<Row, "state" | "isSubmitted" | "endedAt"> & {
  status: PaymentStatus;
  settledAt: Date | null;
};

export function toPayment({ state, isSubmitted, endedAt, ...row }: Row): Payment {
  const status = statusOf({ state, isSubmitted, txHash: row.txHash });
  return { ...row, status, settledAt: status === "settled" ? endedAt : null };
}

const withReservation = (db: Queryable) =>
  db.select(PAYMENT).from(payments).innerJoin(reservations, eq(reservations.id, payments.reservationId));

export type NewPayment = Omit<typeof payments.$inferInsert, "reservationId" | "mandateId">;

/**
 * Reserves and inserts the payment in one statement. `reserved`: the CTE that inserts the reservation. Returns false and writes
 * nothing if that CTE inserts no row.
 */
export async function insert(db: Queryable, reserved: SQL, p: NewPayment): Promise<boolean> {
  const inserted = await db.execute(sql`
    with ${reserved}
    insert into ${payments} (id, reservation_id, agent_id, mandate_id, wallet_id, asset, credit_payee, valid_after,
      host, resource, description, created_at)
    select ${p.id}, reserved.id, ${p.agentId}::uuid, reserved.mandate_id, ${p.walletId}, ${p.asset},
      ${p.creditPayee ?? null}, ${p.validAfter.toString()}::numeric, ${p.host}, ${p.resource}, ${p.description},
      ${p.createdAt.toISOString()}::timestamptz
    from reserved
    returning id`);
  return inserted.rows.length > 0;
}

export async function findForAgent(db: Queryable, agentId: AgentId, id: PaymentId): Promise<Payment | null> {
  const [row] = await withReservation(db).where(and(eq(payments.id, id), eq(payments.agentId, agentId)));
  return row ? toPayment(row) : null;
}

export async function find(db: Queryable, id: PaymentId): Promise<Payment | null> {
  const [row] = await withReservation(db).where(eq(payments.id, id));
  return row ? toPayment(row) : null;
}

export type OwnedPayment = { payment: Payment; ownerId: OwnerId };

/** The payments of these reservations, each with the owner whose wallet pays it. */
export const listByReservations = (db: Queryable, ids: readonly number[]): Promise<OwnedPayment[]> =>
  listOwned(db, inArray(payments.reservationId, [...ids]));

/** These payments, each with the owner whose wallet pays it. */
export const listByIds = (db: Queryable, ids: readonly PaymentId[]): Promise<OwnedPayment[]> =>
  listOwned(db, inArray(payments.id, [...ids]));

/** The ids of the settled payments among `ids`. */
export const settledAmong = async (db: Queryable, ids: readonly PaymentId[]): Promise<Set<PaymentId>> =>
  new Set((await listByIds(db, ids)).flatMap(({ payment }) => (payment.status === "settled" ? payment.id : [])));

async function listOwned(db: Queryable, condition: SQL): Promise<OwnedPayment[]> {
  const rows = await db
    .select({ row: PAYMENT, ownerId: wallets.ownerId })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(wallets, eq(wallets.id, payments.walletId))
    .where(condition);
  return rows.map(({ row, ownerId }) => ({ payment: toPayment(row), ownerId }));
}

export type PaymentsSlice = { limit: number; cursor: Cursor | undefined };

export const cursorOf = ({ createdAt, id }: Payment): Cursor => ({ time: createdAt, id });

/** Newest first. */
export async function listForAgent(db: Queryable, agentId: AgentId, page: PaymentsSlice): Promise<Payment[]> {
  const newest = newestOf(and(eq(payments.agentId, agentId), isAfter(page.cursor)), page.limit);
  const rows = await withReservation(db)
    .where(sql`${payments.id} in (select id from (${newest}) as newest)`)
    .orderBy(...newestFirst);
  return rows.map(toPayment);
}

/** Payments under an owner's mandates, or under one of them; newest first. */
export async function listForOwner(
  db: Queryable,
  ownerId: OwnerId,
  page: PaymentsSlice & { mandateId: MandateId | undefined },
): Promise<Payment[]> {
  const isMeant = and(eq(mandates.ownerId, ownerId), page.mandateId && eq(mandates.id, page.mandateId));
  const ofOne = newestOf(and(eq(payments.mandateId, mandates.id), isAfter(page.cursor)), page.limit);
  const rows = await withReservation(db)
    .where(sql`${payments.id} in (${newestOfEach(mandates, isMeant, ofOne, page.limit)})`)
    .orderBy(...newestFirst);
  return rows.map(toPayment);
}

export const newestFirst = [desc(payments.createdAt), desc(payments.id)];

/** A query of the newest payments under `condition`, along an index. With joins, PostgreSQL would sort all payments before the limit. */
export const newestOf = (condition: SQL | undefined, limit: number, joined?: SQL): SQL => sql`
  select ${payments.id}, ${payments.createdAt} from ${payments} ${joined ?? sql``}
  where ${condition ?? sql`true`} order by ${sql.join(newestFirst, sql`, `)} limit ${limit}`;

/** The ids of the newest payments of all rows of `table` that meet `condition`. `ofOne` is `newestOf` for one row. */
export const newestOfEach = (table: PgTable, condition: SQL | undefined, ofOne: SQL, limit: number): SQL => sql`
  select newest.id from ${table} cross join lateral (${ofOne}) as newest where ${condition ?? sql`true`}
  order by newest.created_at desc, newest.id desc limit ${limit}`;

export const isAfter = (cursor: Cursor | undefined) =>
  cursor && sql`(${payments.createdAt}, ${payments.id}) < (${cursor.time.toISOString()}::timestamptz, ${cursor.id})`;

export type SettlementRow = typeof settlements.$inferSelect;
/** A payment with its agent's name, and its settlement, if there is one. */
export type AgentPayment = { payment: Payment; agentName: string; settlementId: SettlementId | null };

/** Whether a settlement has the authorization of a payment. */
const isSettlementOfPayment = and(
  eq(settlements.network, reservations.network),
  eq(settlements.asset, payments.asset),
  eq(settlements.payer, reservations.payer),
  eq(settlements.nonce, reservations.nonce),
);

export type MadeFilter = {
  agentId?: AgentId | undefined;
  mandateId?: MandateId | undefined;
  host?: string | undefined;
  states?: readonly ReservationState[] | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};
export type HistorySlice = {
  before?: Date | undefined;
  /** The last payment before the slice; its id breaks ties between equal times. */
  after?: Cursor | undefined;
  limit: number;
};

/** Payments of all the owner's agents, including deleted ones; newest first. */
export async function listAgentPayments(
  db: Queryable,
  ownerId: OwnerId,
  { agentId, mandateId, host, states, from, to, before: cutoff, after: cursor, limit }: MadeFilter & HistorySlice,
): Promise<AgentPayment[]> {
  const isMeant = and(eq(agents.ownerId, ownerId), agentId && eq(agents.id, agentId));
  const ofOne = newestOf(
    and(
      eq(payments.agentId, agents.id),
      states && inArray(reservations.state, [...states]),
      mandateId && eq(payments.mandateId, mandateId),
      host === undefined ? undefined : eq(payments.host, host),
      from && gte(payments.createdAt, from),
      to && lt(payments.createdAt, to),
      cutoff && lt(payments.createdAt, cutoff),
      isAfter(cursor),
    ),
    limit,
    states && sql`inner join ${reservations} on ${eq(reservations.id, payments.reservationId)}`,
  );
  const rows = await db
    .select({ row: PAYMENT, agentName: agents.name, settlementId: settlements.id })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .leftJoin(settlements, isSettlementOfPayment)
    .where(sql`${payments.id} in (${newestOfEach(agents, isMeant, ofOne, limit)})`)
    .orderBy(...newestFirst);
  return rows.map(({ row, ...details }) => ({ ...details, payment: toPayment(row) }));
}

/** One payment of the owner's agents; null if it belongs to another owner. */
export async function findAgentPayment(db: Queryable, ownerId: OwnerId, id: PaymentId): Promise<AgentPayment | null> {
  const [result] = await db
    .select({ row: PAYMENT, agentName: agents.name, settlementId: settlements.id })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .leftJoin(settlements, isSettlementOfPayment)
    .where(and(eq(payments.id, id), eq(agents.ownerId, ownerId)));
  return result ? { ...result, payment: toPayment(result.row) } : null;
}

/** Addresses of the owner's vaults, including closed ones, and of their pockets. */
export async function listVaultAccounts(db: Queryable, ownerId: OwnerId): Promise<Address[]> {
  const rows = await db
    .select({ address: vaults.address, pocket: vaults.pocket })
    .from(vaults)
    .innerJoin(mandates, eq(mandates.id, vaults.mandateId))
    .where(and(eq(mandates.ownerId, ownerId), isNotNull(vaults.address)));
  return rows.flatMap(({ address, pocket }) => [address, pocket].filter((account) => account !== null));
}

/** Settlements into or out of these accounts, without agents' payments; newest first. */
export function listWalletSettlements(
  db: Queryable,
  accounts: Address[],
  { before: cutoff, limit }: HistorySlice,
): Promise<SettlementRow[]> {
  const byTime = [desc(settlements.createdAt), desc(settlements.id)];
  // Reads each account along an index. With OR, every page would sort all settlements of the accounts.
  const newest = (account: SQL, condition: SQL | undefined) =>
    sql`select newest.id from unnest(${sql.param(accounts)}::text[]) as own (address) cross join lateral (
      select ${settlements.id} from ${settlements}
      where ${and(sql`${account} = own.address`, condition, cutoff && lt(settlements.createdAt, cutoff))}
      order by ${sql.join(byTime, sql`, `)} limit ${limit}) as newest`;
  const received = newest(sql`${settlements.payee}`, notInArray(settlements.payer, accounts));
  const outgoingIds = newest(sql`${settlements.payer}`, and(isOwnersOwn(), notExists(paymentOf(db))));
  return db
    .select()
    .from(settlements)
    .where(sql`${settlements.id} in (${received} union all ${outgoingIds})`)
    .orderBy(...byTime)
    .limit(limit);
}

/** The agent's payment of a settlement. */
const paymentOf = (db: Queryable) =>
  db
    .select({ id: payments.id })
    .from(reservations)
    .innerJoin(payments, eq(payments.reservationId, reservations.id))
    .where(
      and(
        eq(reservations.network, settlements.network),
        eq(reservations.payer, settlements.payer),
        eq(reservations.nonce, settlements.nonce),
      ),
    );

/** The sum of signed payments that can still leave the owner's wallet on `network`. */
export async function sumOpen(db: Queryable, ownerId: OwnerId, network: NetworkName, condition?: SQL): Promise<Usdc> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${reservations.amount}), 0)`.mapWith(reservations.amount) })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(wallets, eq(wallets.id, payments.walletId))
    .where(
      and(
        eq(wallets.ownerId, ownerId),
        eq(reservations.network, network),
        eq(reservations.state, "open"),
        // Excludes payments from a vault, which do not leave the wallet.
        eq(reservations.payer, wallets.address),
        isNull(payments.creditPayee),
        condition,
      ),
    );
  return row?.total ?? ZERO;
}

/** `sumOpen` without payments that have an open settlement. */
export const sumUnpresented = (db: Queryable, ownerId: OwnerId, network: NetworkName): Promise<Usdc> =>
  sumOpen(
    db,
    ownerId,
    network,
    notExists(
      db
        .select({ id: settlements.id })
        .from(settlements)
        .where(and(isSettlementOfPayment, inArray(settlements.state, [...UNENDED]))),
    ),
  );

export type Spent = { network: NetworkName; lastDay: Usdc; lastMonth: Usdc; payments: number };

/** What the owner's agents have spent in USDC since `since`, for each network with such payments. */
export const sumSpent = (db: Queryable, ownerId: OwnerId, since: { day: Date; month: Date }): Promise<Spent[]> => {
  const inDay = sql`filter (where ${gte(reservations.endedAt, since.day)})`;
  return db
    .select({
      network: reservations.network,
      lastDay: sql`coalesce(sum(${reservations.amount}) ${inDay}, 0)`.mapWith(reservations.amount),
      lastMonth: sql`sum(${reservations.amount})`.mapWith(reservations.amount),
      payments: count(),
    })
    .from(payments)
    .innerJoin(reservations, eq(reservations.id, payments.reservationId))
    .innerJoin(agents, eq(agents.id, payments.agentId))
    .where(
      and(
        eq(agents.ownerId, ownerId),
        eq(reservations.state, "committed"),
        isNull(payments.creditPayee),
        gte(reservations.endedAt, since.month),
      ),
    )
    .groupBy(reservations.network);
};
