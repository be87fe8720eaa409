import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, OwnerId, WalletId } from "@/lib/core/ids";
import { toUsdc, type Usdc } from "@/lib/core/money";
import type { Queryable, Tx } from "@/lib/platform/db";
import { isOwnersOwn, settlements } from "@/lib/settlements/tables";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { type MandateState, mandates, spendingCaps } from "../tables";
import { DAYS, HOURS, hourOf, oldestOf, type SpendingCap } from "./rules";

const { hours, days } = spendingCaps;
const ROW = {
  id: spendingCaps.id,
  walletId: spendingCaps.walletId,
  agentId: spendingCaps.agentId,
  maxAmountPer24Hours: spendingCaps.maxAmountPer24Hours,
  maxAmountPer30Days: spendingCaps.maxAmountPer30Days,
  waitingMax: spendingCaps.waitingMax,
  hour: spendingCaps.hour,
  hours: sql<Usdc[]>`${hours}::text[]`.mapWith(hours),
  days: sql<Usdc[]>`${days}::text[]`.mapWith(days),
};

/** Whose spending a cap counts. */
export type Spender = { walletId: WalletId; agentId: AgentId | null };

export const holdsFor = (row: SpendingCap, { walletId, agentId }: Spender): boolean =>
  row.walletId === walletId && (row.agentId === null || row.agentId === agentId);

/** Returns a function that finds the caps that hold for each spender, in the order of the spenders. */
export function capsFinder(db: Queryable) {
  const query = db
    .select(ROW)
    .from(spendingCaps)
    .where(sql`${spendingCaps.walletId} = any(${sql.placeholder("walletIds")})`)
    .orderBy(asc(spendingCaps.id))
    .prepare("spending_caps_of");
  return async (spenders: readonly Spender[]): Promise<SpendingCap[][]> => {
    const rows = await query.execute({ walletIds: [...new Set(spenders.map(({ walletId }) => walletId))] });
    return spenders.map((spender) => rows.filter((row) => holdsFor(row, spender)));
  };
}

/** The caps of an owner's wallets; those over everything first. */
export const listOf = (db: Queryable, ownerId: OwnerId) =>
  db
    .select({ row: ROW, network: wallets.network })
    .from(wallets)
    .innerJoin(spendingCaps, eq(spendingCaps.walletId, wallets.id))
    .where(eq(wallets.ownerId, ownerId))
    .orderBy(sql`${spendingCaps.agentId} nulls first`, asc(wallets.network));

export type OwnedCap = { row: SpendingCap; network: NetworkName; ownerId: OwnerId; agentName: string | null };

/** The caps of several owners, with the names of the agents that they limit. */
export const listOfOwners = (db: Queryable, ownerIds: readonly OwnerId[]): Promise<OwnedCap[]> =>
  db
    .select({ row: ROW, network: wallets.network, ownerId: wallets.ownerId, agentName: agents.name })
    .from(wallets)
    .innerJoin(spendingCaps, eq(spendingCaps.walletId, wallets.id))
    .leftJoin(agents, eq(agents.id, spendingCaps.agentId))
    .where(inArray(wallets.ownerId, [...ownerIds]));

/** Locks all caps of these wallets. The caller has locked the wallets. */
export const lockOf = (tx: Tx, walletIds: readonly WalletId[]): Promise<SpendingCap[]> =>
  tx
    .select(ROW)
    .from(spendingCaps)
    .where(inArray(spendingCaps.walletId, [...walletIds]))
    .orderBy(asc(spendingCaps.id))
    .for("no key update");

export const lockFor = async (tx: Tx, spender: Spender): Promise<SpendingCap[]> =>
  (await lockOf(tx, [spender.walletId])).filter((row) => holdsFor(row, spender));

export async function writeCounters(tx: Tx, rows: readonly SpendingCap[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => ({
    id: row.id,
    hour: row.hour,
    hours: row.hours.map(String),
    days: row.days.map(String),
  }));
  await tx.execute(sql`
    update ${spendingCaps} set hour = c.hour, hours = c.hours, days = c.days
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as c(id bigint, hour integer, hours numeric[], days numeric[])
    where ${spendingCaps.id} = c.id`);
}

/** Writes the cap of a spender in place of an earlier one. */
export async function put(tx: Tx, row: Omit<SpendingCap, "id">): Promise<SpendingCap> {
  await remove(tx, row);
  const [written] = await tx.insert(spendingCaps).values(row).returning(ROW);
  if (!written) throw new Error("the insert returned no row");
  return written;
}

export async function remove(tx: Tx, { walletId, agentId }: Spender): Promise<void> {
  await tx
    .delete(spendingCaps)
    .where(
      and(
        eq(spendingCaps.walletId, walletId),
        agentId === null ? isNull(spendingCaps.agentId) : eq(spendingCaps.agentId, agentId),
      ),
    );
}

/** Locks an owner's mandates on a wallet's network: what is charged to them is before the caller's change or after it. */
export async function lockMandates(tx: Tx, walletId: WalletId, agentId: AgentId | null): Promise<void> {
  await tx
    .select({ id: mandates.id })
    .from(mandates)
    // Those that wait for their signature as well: one that is signed meanwhile could pay unseen.
    .where(isChargeable(walletId, agentId, ["signed", "pending_signature"]))
    .orderBy(asc(mandates.id))
    .for("no key update");
}

const isChargeable = (walletId: WalletId, agentId: AgentId | null, states: readonly MandateState[]) =>
  and(
    // The wallet names the owner and the network, also for a mandate with a vault. The owner is for the index.
    sql`${mandates.ownerId} = (select owner_id from wallets where id = ${walletId})`,
    eq(mandates.walletId, walletId),
    inArray(mandates.state, [...states]),
    agentId === null ? undefined : eq(mandates.agentId, agentId),
  );

/** A payment decided without the new caps is refused, and decided again. */
export async function raiseRevisions(tx: Tx, walletId: WalletId, agentId: AgentId | null): Promise<void> {
  await tx
    .update(mandates)
    .set({ revision: sql`${mandates.revision} + 1` })
    .where(isChargeable(walletId, agentId, ["signed"]));
}

/** What a spender has reserved or paid since `hour`, by the hour. */
export async function spentByHour(
  tx: Tx,
  { walletId, agentId }: Spender,
  hour: number,
): Promise<{ hour: number; amount: Usdc }[]> {
  const since = new Date(hour * 3_600_000).toISOString();
  // Along indexes of payments and settlements: an index of reservations would cost each signature.
  const { rows } = await tx.execute<{ hour: number; amount: string }>(sql`
    with candidates as (
      select p.reservation_id as id from wallets w join agents a on a.owner_id = w.owner_id
      join payments p on p.agent_id = a.id and p.created_at > ${since}::timestamptz
      where w.id = ${walletId} and ${agentId === null ? sql`true` : sql`a.id = ${agentId}::uuid`}
      union
      select r.id from wallets w
      join (select * from ${settlements} where ${isOwnersOwn()}) s on s.payer = w.address and s.created_at > ${since}::timestamptz
      join reservations r on r.network = s.network and r.payer = s.payer and r.nonce = s.nonce
      where w.id = ${walletId})
    select r.charged_hour as hour, sum(r.amount)::text as amount from candidates c join reservations r on r.id = c.id
    where r.wallet_id = ${walletId} and r.state <> 'released' and r.charged_hour >= ${hour}
      and ${agentId === null ? sql`true` : sql`r.agent_id = ${agentId}::uuid`}
    group by r.charged_hour`);
  return rows.map((row) => ({ hour: row.hour, amount: toUsdc(BigInt(row.amount)) }));
}

/** A guarded update of the row that decides about a payment: of its mandate or its approval. */
export type GuardedUpdate = {
  table: PgTable;
  row: SQL;
  fits: SQL;
  set: SQL;
  /** `mandate_id` and `charged_on` */
  returning: SQL;
};

/**
 * CTEs that write `update` and raise the counters of `caps`, or do neither. The one to read is `allowed(mandate_id, charged_on,
 * charged_hour)`. The caps are locked after the other row and before anything is written, and compared as they are then. Null: caps do
 * not count it. `isApproved`: a person approved the payment, so it may exceed caps that let payments wait for one.
 */
export function underCaps(
  { table, row, fits, set, returning }: GuardedUpdate,
  caps: readonly Pick<SpendingCap, "id">[] | null,
  { amount, time, isApproved }: { amount: Usdc; time: Date; isApproved: boolean },
): SQL {
  const hour = sql`${hourOf(time)}::integer`;
  const update = (isReady: SQL, chargedHour: SQL) => sql`
  allowed as (update ${table} set ${set} where ${row} and ${isReady} returning ${returning}, ${chargedHour} as charged_hour)`;
  if (caps === null) return update(fits, sql`null::integer`);
  if (caps.length === 0) return update(fits, hour);
  const ids = sql`array[${sql.join(
    caps.map(({ id }) => sql`${id}::bigint`),
    sql`, `,
  )}]`;
  const isExempt = isApproved ? sql`waiting_max > 0` : sql`false`;
  const oldest = oldestOf(time);
  const sum = sql`${amount.toString()}::numeric`;
  const shifted = (sums: SQL, by: SQL, length: number) => {
    const size = sql.raw(String(length));
    return sql`(${sums} || array_fill(0::numeric, array[least(${by}, ${size})]))[least(${by}, ${size}) + 1 : least(${by}, ${size}) + ${size}]`;
  };
  const used = (sums: SQL, newest: SQL, first: number, length: number) =>
    sql`(select sum(x) from unnest(${sums}[greatest(1, ${sql.raw(String(length))} - (${newest} - ${first}::integer)) : ]) x)`;
  const raised = (sums: SQL, length: number) =>
    sql`${sums}[1 : ${sql.raw(String(length - 1))}] || (${sums}[${sql.raw(String(length))}] + ${sum})`;
  return sql`
  able as materialized (select 1 from ${table} where ${row} and ${fits} for no key update),
  capped as materialized (
    select id, hour, hours, days, max_amount_per_24_hours as per_day, max_amount_per_30_days as per_month, waiting_max
    from ${spendingCaps} where id = any(${ids}) and exists (select from able) order by id for no key update),
  moment as materialized (select greatest(max(hour), ${hour}) as hour from capped),
  moved as materialized (
    select c.id, m.hour, per_day, per_month, waiting_max,
      ${shifted(sql`c.hours`, sql`(m.hour - c.hour)`, HOURS)} as hours,
      ${shifted(sql`c.days`, sql`(m.hour / 24 - c.hour / 24)`, DAYS)} as days
    from capped c cross join moment m),
  fitting as materialized (
    select count(*) = ${caps.length} as is_ready from moved
    where ${isExempt} or ((per_day is null or ${used(sql`hours`, sql`hour`, oldest.hour, HOURS)} + ${sum} <= per_day)
      and (per_month is null or ${used(sql`days`, sql`hour / 24`, oldest.day, DAYS)} + ${sum} <= per_month))),
  ${update(sql`(select is_ready from fitting)`, sql`(select hour from moment)`)},
  counted as (
    update ${spendingCaps} c set hour = v.hour, hours = ${raised(sql`v.hours`, HOURS)}, days = ${raised(sql`v.days`, DAYS)}
    from moved v where c.id = v.id and exists (select from allowed))`;
}
