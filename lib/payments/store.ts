import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { AgentId, MandateId, OwnerId, PaymentId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { mandates, reservations } from "@/lib/mandates/tables";
import { executePrepared, type Queryable } from "@/lib/platform/db";
import { wallets } from "@/lib/wallets/tables";
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

export const withReservation = (db: Queryable) =>
  db.select(PAYMENT).from(payments).innerJoin(reservations, eq(reservations.id, payments.reservationId));

export type NewPayment = Omit<typeof payments.$inferInsert, "reservationId" | "mandateId">;

/**
 * Reserves and inserts the payment in one statement. `reserved`: the CTE that inserts the reservation. Returns false and writes
 * nothing if that CTE inserts no row.
 */
export async function insert(db: Queryable, reserved: SQL, p: NewPayment): Promise<boolean> {
  const inserted = await executePrepared(
    db,
    sql`
    with ${reserved}
    insert into ${payments} (id, reservation_id, agent_id, mandate_id, wallet_id, asset, credit_payee, valid_after,
      host, resource, description, created_at)
    select ${p.id}, reserved.id, ${p.agentId}::uuid, reserved.mandate_id, ${p.walletId}, ${p.asset},
      ${p.creditPayee ?? null}, ${p.validAfter.toString()}::numeric, ${p.host}, ${p.resource}, ${p.description},
      ${p.createdAt.toISOString()}::timestamptz
    from reserved
    returning id`,
  );
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
