import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, OwnerId, WalletId } from "@/lib/core/ids";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { isAmong, type Queryable, type Tx } from "@/lib/platform/db";
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
  total: spendingCaps.total,
  hours: sql<Usdc[]>`${hours}::text[]`.mapWith(hours),
  days: sql<Usdc[]>`${days}::text[]`.mapWith(days),
};

/** A cap as the statement that reserves needs it. `room`: what it covers at any rate, as if nothing had left its windows yet. */
export type CapRoom = Pick<SpendingCap, "id" | "walletId" | "agentId" | "hour" | "waitingMax"> & { room: bigint };

/** In a query of wallets: the room of the wallet's caps. Reads nothing if there never was one. */
export const ROOM_OF_WALLET = sql`case when ${wallets.capsRevision} > 0 then (
  select json_agg(json_build_array(c.id, c.wallet_id, c.agent_id, c.hour, c.waiting_max, least(
    c.max_amount_per_24_hours - (c.total - c.hours[1]), c.max_amount_per_30_days - (c.total - c.days[1]))::text))
  from spending_caps c where c.wallet_id = ${wallets.id}) end`.mapWith({
  mapFromDriverValue: (rows: readonly RoomJson[]): CapRoom[] =>
    rows.map(([id, walletId, agentId, hour, waitingMax, room]) => ({
      id,
      walletId,
      agentId,
      hour,
      waitingMax,
      room: BigInt(room),
    })),
});
type RoomJson = [
  id: number,
  walletId: WalletId,
  agentId: AgentId | null,
  hour: number,
  waitingMax: number,
  room: string,
];

/** Whose spending a cap counts. */
export type Spender = { walletId: WalletId; agentId: AgentId | null };

export const holdsFor = (row: Pick<SpendingCap, "walletId" | "agentId">, { walletId, agentId }: Spender): boolean =>
  row.walletId === walletId && (row.agentId === null || row.agentId === agentId);

/** Returns a function that finds the caps that hold for each spender, in the order of the spenders. */
export function capsFinder(db: Queryable) {
  const query = db
    .select(ROW)
    .from(spendingCaps)
    .where(isAmong(spendingCaps.walletId, "walletIds"))
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
    total: row.total.toString(),
    hours: row.hours.map(String),
    days: row.days.map(String),
  }));
  await tx.execute(sql`
    update ${spendingCaps} set hour = c.hour, total = c.total, hours = c.hours, days = c.days
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as c(id bigint, hour integer, total numeric, hours numeric[], days numeric[])
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

/** division_by_zero, the error of `underCaps`. */
export const ABOVE_A_CAP = "22012";

/** A guarded update of the row that decides about a payment: of its mandate or its approval. */
export type GuardedUpdate = {
  table: PgTable;
  row: SQL;
  fits: SQL;
  set: SQL;
  /** `mandate_id` and `charged_on` */
  returning: SQL;
};

// The texts are constant, and the values come with `h`, so that building a statement costs about the same with caps as without. The names
// of columns are those of spending_caps (c).
const usedOf = (starts: string, newest: string, first: string, length: number) =>
  `c.total - coalesce(c.${starts}[greatest(1, ${length} - (${newest} - ${first}))], c.total)`;
const FITS = `((c.max_amount_per_24_hours is null
      or ${usedOf("hours", "c.hour", "h.first_hour", HOURS)} + h.amount <= c.max_amount_per_24_hours)
    and (c.max_amount_per_30_days is null
      or ${usedOf("days", "c.hour / 24", "h.first_day", DAYS)} + h.amount <= c.max_amount_per_30_days))`;
const APPROVED = `(c.waiting_max > 0 or ${FITS})`;
const begunOf = (starts: string, by: string, length: number) =>
  `${starts} = c.${starts}[${by} + 1 : ] || array_fill(c.total, array[least(${length}, ${by})])`;

/** How the counters of a cap rise, if it holds: of one whose newest hour is that of `h`, as almost always, or is before it. */
const NEWEST = { raised: "total = c.total + h.amount", isOf: "c.hour = h.hour" };
const OLDER = {
  raised: `${NEWEST.raised}, hour = h.hour, ${begunOf("hours", "(h.hour - c.hour)", HOURS)},
      ${begunOf("days", "(h.hour / 24 - c.hour / 24)", DAYS)}`,
  isOf: "c.hour <= h.hour",
};

/**
 * CTEs that write `update` and raise the counters of `caps`. The one to read is `allowed(mandate_id, charged_on, charged_hour)`. The row is
 * written first and then the caps by their ids, each compared as it is under its lock. If one does not hold, the division by their
 * number fails the statement with ABOVE_A_CAP, and nothing is written: locking all rows before writing one costs more. Null: caps
 * do not count it. `isApproved`: a person approved the payment, so it may exceed caps that let payments wait for one.
 */
export function underCaps(
  { table, row, fits, set, returning }: GuardedUpdate,
  caps: readonly Pick<SpendingCap, "id" | "hour">[] | null,
  { amount, time, isApproved }: { amount: Usdc; time: Date; isApproved: boolean },
): SQL {
  // Another process, whose clock is ahead, may have begun the next hour: it never goes back.
  const hour = Math.max(hourOf(time), ...(caps ?? []).map((cap) => cap.hour));
  const update = sql`update ${table} set ${set} where ${row} and ${fits}
    returning ${returning}, ${caps && hour}::integer as charged_hour`;
  if (caps === null || caps.length === 0)
    return sql`
  allowed as (${update})`;
  const oldest = oldestOf(time);
  const condition = isApproved ? APPROVED : FITS;
  const raises = [...caps]
    .sort((a, b) => a.id - b.id)
    .map((cap, index) => {
      const { raised, isOf } = cap.hour === hour ? NEWEST : OLDER;
      return sql`${sql.raw(`
  step_${index + 1} as (update spending_caps c set ${raised} from step_${index} h where c.id = `)}${cap.id}${sql.raw(`::bigint
    and ${isOf} and ${condition} returning h.*),`)}`;
    });
  return sql`
  step_0 as (${update}, ${amount.toString()}::numeric as amount, ${hour}::integer as hour, ${oldest.hour}::integer as first_hour,
    ${oldest.day}::integer as first_day),${sql.join(raises)}${sql.raw(`
  allowed as (select mandate_id, charged_on, charged_hour from step_0
    where hour / (select count(*) from step_${caps.length}) = hour)`)}`;
}
