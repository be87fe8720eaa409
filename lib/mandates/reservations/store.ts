import { and, asc, eq, gt, gte, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId } from "@/lib/core/ids";
import { toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { type Db, isAmong, type Queryable, type Tx } from "@/lib/platform/db";
import { vaults } from "@/lib/vaults/tables";
import { wallets } from "@/lib/wallets/tables";
import type { Authorization, AuthorizationKey } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import { type CapRoom, type GuardedUpdate, holdsFor, ROOM_OF_WALLET, type Spender, underCaps } from "../caps/store";
import { type Day, dayOf, hasPeriods, type Periods } from "../periods";
import type { Mandate } from "../store";
import { mandates, reservations } from "../tables";
import type { Reservation, ReservationEnd } from "./rules";

/** A mandate, and the wallet or vault that pays for it. */
export type Funded = {
  mandate: Mandate;
  wallet: typeof wallets.$inferSelect | null;
  vault: typeof vaults.$inferSelect | null;
  /** The caps that hold for the agent. */
  caps: readonly CapRoom[];
};

/** Returns a function that finds agents' mandates, in the order of the requests; null where the agent has no such mandate. */
export function fundedFinder(db: Db) {
  const query = db
    .select({ mandate: mandates, wallet: wallets, vault: vaults, caps: ROOM_OF_WALLET })
    .from(mandates)
    .leftJoin(wallets, eq(wallets.id, mandates.walletId))
    .leftJoin(vaults, eq(vaults.mandateId, mandates.id))
    .where(isAmong(mandates.id, "ids"))
    .prepare("mandates_funded");
  return async (requests: readonly { agentId: AgentId; id: MandateId }[]): Promise<(Funded | null)[]> => {
    const rows = await query.execute({ ids: [...new Set(requests.map(({ id }) => id))] });
    const byId = new Map(
      rows.map(({ caps, ...row }) => {
        const { agentId, id } = row.mandate;
        const held = (caps ?? []).filter((cap) => row.wallet && holdsFor(cap, { walletId: row.wallet.id, agentId }));
        return [id, { ...row, caps: held }];
      }),
    );
    return requests.map(({ agentId, id }) => {
      const row = byId.get(id);
      return row?.mandate.agentId === agentId ? row : null;
    });
  };
}

/** A condition of the statement that reserves. */
export type Guard = SQL;

/** CTEs that end with `allowed`: one row with `mandate_id`, `charged_on` and `charged_hour` if a payment may be signed, or no row. */
export type Charging = SQL;

/** What a payment is charged to besides its mandate. Without `caps`, the caps of its owner do not count it. */
export type Charged = { amount: Usdc; time: Date; caps: readonly Pick<CapRoom, "id" | "hour">[] | null };

/**
 * Adds to the mandate's pending amount and to the owner's caps, if no person has changed the mandate since it was read and the amount
 * still fits. Used in the statement that inserts the payment: all is written or nothing, and the row locks end with that statement.
 * `time`: decides the day, the month and the hour. `also`: further conditions.
 * Why: docs/decisions.md, 14.
 */
export function charging(
  mandate: Pick<Mandate, "id" | "revision"> & Periods,
  { amount, time, caps }: Charged,
  ...also: Guard[]
): Charging {
  const periods = hasPeriods(mandate) ? chargingPeriods(amount, time) : null;
  const charge: GuardedUpdate = {
    table: mandates,
    row: sql`id = ${mandate.id}`,
    fits: sql`revision = ${mandate.revision} and spent_amount + pending_amount + ${atomic(amount)} <= limit_amount
      and ${sql.join([periods?.fits ?? sql`true`, ...also], sql` and `)}`,
    set: sql`pending_amount = pending_amount + ${atomic(amount)}${periods ? sql`, ${periods.set}` : sql``}`,
    returning: sql`id as mandate_id, ${periods ? sql`charged_on` : sql`null::date`} as charged_on`,
  };
  return underCaps(charge, caps, { amount, time, isApproved: false });
}

/** Reads only the row that the statement locks: a concurrent statement that waited for the lock then sees the first one's write. */
function chargingPeriods(amount: Usdc, time: Date): { set: SQL; fits: SQL } {
  // The clock may be behind that of another process, which has already begun the next day.
  const day = sql`greatest(charged_on, ${dayOf(time)}::date)`;
  const ofDay = sql`case when charged_on = ${day} then day_amount else 0 end + ${atomic(amount)}`;
  const ofMonth = sql`case when date_trunc('month', charged_on) = date_trunc('month', ${day}) then month_amount else 0 end + ${atomic(amount)}`;
  return {
    set: sql`charged_on = ${day}, day_amount = ${ofDay}, month_amount = ${ofMonth}`,
    fits: sql`(max_amount_per_day is null or ${ofDay} <= max_amount_per_day)
      and (max_amount_per_month is null or ${ofMonth} <= max_amount_per_month)`,
  };
}

/** The CTEs of `charging` and, if they allow it, the reservation. The last one is `reserved(id, mandate_id)`. */
export const reserving = (charging: Charging, spender: Spender, network: NetworkName, a: Authorization): SQL => sql`
  ${charging},
  reserved as (
    insert into ${reservations} (mandate_id, network, payer, nonce, payee, amount, valid_before, charged_on, charged_hour,
      wallet_id, agent_id)
    select allowed.mandate_id, ${network}, ${a.from}, ${a.nonce}, ${a.to}, ${atomic(a.value)}, ${atomic(a.validBefore)},
      allowed.charged_on, allowed.charged_hour, ${spender.walletId}, ${spender.agentId}::uuid
    from allowed
    returning id, mandate_id)`;

const atomic = (amount: bigint) => sql`${amount.toString()}::numeric`;

/**
 * Charges `amount` to a mandate that the caller has locked and checked at `time`. Returns the day of its budgets, if it has one of a
 * day or month.
 */
export async function chargeLocked(
  tx: Tx,
  mandate: Pick<Mandate, "id"> & Periods,
  { amount, time }: { amount: Usdc; time: Date },
): Promise<Day | null> {
  const periods = hasPeriods(mandate) ? sql`, ${chargingPeriods(amount, time).set}` : sql``;
  const { rows } = await tx.execute<{ charged_on: Day | null }>(sql`
    update ${mandates} set pending_amount = pending_amount + ${atomic(amount)}${periods}
    where id = ${mandate.id} returning charged_on::text as charged_on`);
  return rows[0]?.charged_on ?? null;
}

/** Whom and what reservations are charged to. */
export type ChargedTo = Pick<
  Reservation,
  "mandateId" | "network" | "chargedOn" | "chargedHour" | "walletId" | "agentId"
>;

export async function add(tx: Tx, charged: ChargedTo, authorizations: readonly Authorization[]): Promise<void> {
  await tx.insert(reservations).values(
    authorizations.map(({ from: payer, nonce, to: payee, value, validBefore }) => ({
      ...charged,
      payer,
      nonce,
      payee,
      amount: value,
      validBefore,
    })),
  );
}

export async function markSubmitted(tx: Tx, keys: readonly AuthorizationKey[]): Promise<void> {
  const open = tx
    .select({ id: reservations.id })
    .from(reservations)
    .where(and(amongKeys(keys), eq(reservations.state, "open")))
    .orderBy(asc(reservations.id))
    .for("no key update");
  await tx.update(reservations).set({ isSubmitted: true }).where(inArray(reservations.id, open));
}

/** Those of `keys` that have a reservation. */
export const findReservedKeys = (db: Queryable, keys: readonly AuthorizationKey[]): Promise<AuthorizationKey[]> =>
  db
    .select({ network: reservations.network, from: reservations.payer, nonce: reservations.nonce })
    .from(reservations)
    .where(amongKeys(keys));

// Lock order: settlements, reservations by id, mandates by id, then the tables of other domains. "No key update", so that
// inserts that refer to a locked mandate or reservation do not wait.

export const lockByKeys = (tx: Tx, keys: readonly AuthorizationKey[]): Promise<Reservation[]> =>
  lockWhere(tx, amongKeys(keys));

/** The sum of a mandate's reservations released in blocks from `firstBlock` on. They reopen if their block is replaced. */
export async function releasedSince(db: Queryable, mandateId: MandateId, firstBlock: bigint): Promise<Usdc> {
  const [row] = await db
    .select({ sum: sql`coalesce(sum(${reservations.amount}), 0)`.mapWith(reservations.amount) })
    .from(reservations)
    .where(
      and(
        eq(reservations.mandateId, mandateId),
        eq(reservations.state, "released"),
        gte(reservations.blockNumber, firstBlock),
      ),
    );
  return row?.sum ?? ZERO;
}

export const lockOpen = (tx: Tx, ids: readonly number[]): Promise<Reservation[]> =>
  lockWhere(tx, and(inArray(reservations.id, [...ids]), eq(reservations.state, "open")));

/** Reservations that ended in blocks from `firstBlock` on. */
export const lockEndedFrom = (tx: Tx, network: NetworkName, firstBlock: bigint): Promise<Reservation[]> =>
  lockWhere(tx, and(eq(reservations.network, network), gte(reservations.blockNumber, firstBlock)));

const lockWhere = (tx: Tx, condition: SQL | undefined): Promise<Reservation[]> =>
  tx.select().from(reservations).where(condition).orderBy(asc(reservations.id)).for("no key update");

/** One parameter for any number of keys, so that the statement is prepared once. */
const amongKeys = (keys: readonly AuthorizationKey[]) =>
  sql`(${reservations.network}, ${reservations.payer}, ${reservations.nonce}) in (
    select k.network, k.payer, k.nonce from jsonb_to_recordset(${JSON.stringify(
      keys.map(({ network, from, nonce }) => ({ network, payer: from, nonce })),
    )}::jsonb) as k(network text, payer text, nonce text))`;

export type OverdueReservation = { id: number; payer: Address; nonce: Hex; validBefore: bigint };

/** Open reservations that have expired at a block of this time (Unix seconds), longest overdue first, after `last`. */
export const listOverdue = (
  db: Queryable,
  network: NetworkName,
  blockSeconds: number,
  last: OverdueReservation | undefined,
  limit: number,
): Promise<OverdueReservation[]> => {
  const { id, payer, nonce, validBefore } = reservations;
  return db
    .select({ id, payer, nonce, validBefore })
    .from(reservations)
    .where(
      and(
        eq(reservations.network, network),
        sql`${reservations.state} = 'open'`,
        lte(validBefore, BigInt(blockSeconds)),
        last && or(gt(validBefore, last.validBefore), and(eq(validBefore, last.validBefore), gt(id, last.id))),
      ),
    )
    .orderBy(asc(validBefore), asc(id))
    .limit(limit);
};

export async function writeEnds(tx: Tx, ends: readonly (ReservationEnd & { id: number })[]): Promise<void> {
  const rows = ends.map((end) => ({
    id: end.id,
    state: end.state,
    is_submitted: end.isSubmitted,
    tx_hash: end.txHash,
    block_number: end.blockNumber?.toString() ?? null,
    ended_at: end.endedAt?.toISOString() ?? null,
  }));
  await tx.execute(sql`
    update ${reservations} set state = e.state, is_submitted = e.is_submitted, tx_hash = e.tx_hash,
      block_number = e.block_number, ended_at = e.ended_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id bigint, state text, is_submitted boolean,
      tx_hash text, block_number bigint, ended_at timestamptz)
    where ${reservations.id} = e.id`);
}

export type BudgetRow = Pick<Mandate, "id" | "limitAmount" | "spentAmount" | "pendingAmount"> & Periods;

/** The day and month sums of these reservations' periods. The caller has locked their mandates. */
export async function heldInPeriods(tx: Tx, ids: readonly number[]): Promise<Map<number, { day: Usdc; month: Usdc }>> {
  const { rows } = await tx.execute<{ id: string; day: string; month: string }>(sql`
    select r.id::text, sum(o.amount) filter (where o.charged_on = r.charged_on)::text as day, sum(o.amount)::text as month
    from reservations r join reservations o on o.mandate_id = r.mandate_id and o.state <> 'released'
      and o.charged_on >= date_trunc('month', r.charged_on)::date
      and o.charged_on < (date_trunc('month', r.charged_on) + interval '1 month')::date
    where r.id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)) group by r.id`);
  return new Map(rows.map(({ id, day, month }) => [Number(id), { day: usdcOf(day), month: usdcOf(month) }]));
}

const usdcOf = (sum: string | null): Usdc => toUsdc(BigInt(sum ?? 0));

/** Locks in a fixed order, so that two batches never deadlock. */
export async function lockBudgets(tx: Tx, ids: readonly MandateId[]): Promise<BudgetRow[]> {
  const { id, limitAmount, spentAmount, pendingAmount } = mandates;
  const { maxAmountPerDay, maxAmountPerMonth, chargedOn, dayAmount, monthAmount } = mandates;
  return tx
    .select({
      id,
      limitAmount,
      spentAmount,
      pendingAmount,
      maxAmountPerDay,
      maxAmountPerMonth,
      chargedOn,
      dayAmount,
      monthAmount,
    })
    .from(mandates)
    .where(inArray(id, [...ids]))
    .orderBy(asc(id))
    .for("no key update");
}

export async function writeBudgets(tx: Tx, budgets: readonly BudgetRow[]): Promise<void> {
  const rows = budgets.map((b) => ({
    id: b.id,
    spent: b.spentAmount.toString(),
    pending: b.pendingAmount.toString(),
    day: b.dayAmount.toString(),
    month: b.monthAmount.toString(),
  }));
  await tx.execute(sql`
    update ${mandates} set spent_amount = b.spent, pending_amount = b.pending, day_amount = b.day, month_amount = b.month
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as b(id text, spent numeric, pending numeric, day numeric, month numeric)
    where ${mandates.id} = b.id`);
}
