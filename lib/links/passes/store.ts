import { and, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Address } from "@/lib/core/address";
import type { AgentId, LinkId, OwnerId, PassCallId, SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { batchedBy, batchedOn, inOrder } from "@/lib/platform/batch";
import { type Db, executePrepared, type Queryable, type Tx } from "@/lib/platform/db";
import type { Settlement } from "@/lib/settlements/service";
import { settlements, UNENDED } from "@/lib/settlements/tables";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { endedUpstreams, passCalls, passes, paymentLinks, receivedPayments } from "../tables";
import { BUSY_MARGIN_SECONDS } from "../upstream/limits";
import type { Upstream } from "../upstream/rules";
import { FAILURES_PER_CALL_MAX } from "./limits";

export async function add(tx: Tx, row: typeof passes.$inferInsert): Promise<void> {
  await tx.insert(passes).values(row);
}

/**
 * Whether the payment, the refunds and the hours of the pass `p` let it admit calls. `s`: its payment. A refund's transfer that is missing
 * was claimed after the statement began.
 */
const isOpen = (time: Date) => sql`s.state = 'settled'
  and (p.refund_transfers = '{}' or not exists (
    select from unnest(p.refund_transfers) r (id) left join ${settlements} t on t.id = r.id where t.state is distinct from 'void'
  ))
  and (p.hours is null or s.ended_at + make_interval(hours => p.hours) > ${time})`;

/**
 * Whether a pass of the link in this column may admit calls, or once a payment or a refund has failed. `before`: refunds that settled earlier
 * are final.
 */
export const hasUsablePass = (linkId: AnyPgColumn, before: Date) => sql`exists (
  select from ${passes} p join ${settlements} s on s.id = p.settlement_id
  where p.link_id = ${linkId} and s.state <> 'void'
    and (p.hours is null or s.ended_at is null or s.ended_at + make_interval(hours => p.hours) > ${before})
    and (p.units is null or p.units_taken + p.least_units <= p.units or exists (select from ${passCalls} c where c.settlement_id = p.settlement_id))
    and not exists (
      select from ${settlements} t where t.id = any(p.refund_transfers) and t.state = 'settled' and t.ended_at < ${before}
    )
)`;

/** A call that a pass admits, with all that forwarding it needs. `units`: what it took. */
export type TakenCall = {
  units: bigint;
  unitsLeft: bigint | null;
  payer: Address;
  amount: Usdc;
  network: NetworkName;
  agentId: AgentId;
  ownerId: OwnerId;
  upstream: Upstream;
  sealedUpstreamHeaders: string | null;
};

/** When a call that is taken, or begins to stream, at `time` counts as dead. */
const busyUntil = (time: Date, secondsMax: unknown) =>
  sql`${time}::timestamptz + make_interval(secs => ${secondsMax}::int + ${BUSY_MARGIN_SECONDS}::int)`;

type CallToTake = { settlementId: SettlementId; linkId: LinkId; callId: PassCallId; units: bigint; time: Date };

/**
 * Takes `units` from a pass that has them left; null if it has not, is over, held or refunded, or is not of this link. A link whose upstream was
 * removed brings its last one.
 */
export const takeCall = (db: Db, call: Omit<CallToTake, "time">, time: Date): Promise<TakenCall | null> =>
  takeTogether(db, { ...call, time });

/** Concurrent calls on a pass share a statement, as each would wait for the row of the pass. */
const takeTogether = batchedBy(
  ({ settlementId }: CallToTake) => settlementId,
  (db) => (calls: readonly CallToTake[]) => takeCalls(db, calls),
);

/**
 * Takes calls on one pass in their order. Behind one that does not fit, a smaller one may: these are still under way, so that an error of
 * theirs is not one of the calls that are taken.
 */
async function takeCalls(
  db: Db,
  calls: readonly CallToTake[],
): Promise<(TakenCall | null | Promise<TakenCall | null>)[]> {
  let total = 0n;
  const totals = calls.map(({ units }) => {
    total += units;
    return total;
  });
  const row = await takeFitting(db, calls, totals);
  const fitting = row ? totals.filter((sum) => sum <= BigInt(row.taken)).length : 0;
  const refused = calls[fitting];
  const smaller = refused ? calls.slice(fitting + 1).filter(({ units }) => units < refused.units) : [];
  const later = smaller.length > 0 ? takeCalls(db, smaller) : null;
  return calls.map((call, index) => {
    const laterIndex = smaller.indexOf(call);
    if (laterIndex >= 0) return later?.then((taken) => taken[laterIndex] ?? null) ?? null;
    if (!row || index >= fitting) return null;
    const { before, taken: _, amount, ...sale } = row;
    const unitsLeft = before === null ? null : BigInt(before) - (totals[index] ?? 0n);
    return { ...sale, units: call.units, unitsLeft, amount: toUsdc(BigInt(amount)) };
  });
}

/** `before`: what the pass had left; null without a bound. `taken`: what was taken from it. */
type Taken = Omit<TakenCall, "amount" | "units" | "unitsLeft"> & {
  amount: string;
  before: string | null;
  taken: string;
};

/**
 * Takes the calls of which each with those before it (`totals`) fits; null if there is none. The row of the pass is locked, so calls of several
 * servers and refunds take one after another; all that they change is in it, because a statement that waited for the row sees other tables as
 * they were before. `open` has the row as it was locked. To the update, `p` is at first the row as it was when the statement began, and would
 * violate the table's check where a call came back in between.
 */
async function takeFitting(db: Db, calls: readonly CallToTake[], totals: readonly bigint[]): Promise<Taken | null> {
  const { settlementId, linkId } = calls[0] as CallToTake;
  const { time } = calls.at(-1) as CallToTake;
  const list = (values: readonly (string | bigint)[]) => sql.param(values.map(String));
  const ids = list(calls.map(({ callId }) => callId));
  const units = list(calls.map((call) => call.units));
  const fits = sql`(o.units is null or o.units_taken + a.total <= o.units)`;
  const statement = sql`
    with asked as (
      select * from unnest(${ids}::text[], ${units}::numeric[], ${list(totals)}::numeric[]) a (call_id, units, total)
    ), open as (
      select p.settlement_id, p.units, p.units_taken, s.payer, s.amount, s.network, l.agent_id, l.owner_id, l.upstream,
        l.sealed_upstream_headers
      from ${passes} p join ${settlements} s on s.id = p.settlement_id join (
        select ${paymentLinks.linkId}, ${paymentLinks.agentId}, ${paymentLinks.ownerId},
          coalesce(${paymentLinks.upstream}, e.upstream) as upstream,
          case when ${paymentLinks.upstream} is null then e.sealed_upstream_headers else ${paymentLinks.sealedUpstreamHeaders} end
            as sealed_upstream_headers
        from ${paymentLinks} left join ${endedUpstreams} e using (link_id)
      ) l on l.link_id = p.link_id
      where p.settlement_id = ${settlementId} and p.link_id = ${linkId} and l.upstream is not null and ${isOpen(time)}
      for no key update of p
    ), taken as (
      update ${passes} p set units_taken = fit.before + fit.units, last_used_at = ${time}
      from (
        select o.settlement_id, o.units_taken as before, max(a.total) as units
        from open o join asked a on ${fits} group by o.settlement_id, o.units_taken
      ) fit
      where p.settlement_id = fit.settlement_id
      returning p.settlement_id, fit.units
    ), started as (
      insert into ${passCalls} (call_id, settlement_id, units, busy_until)
      select a.call_id, o.settlement_id, a.units, ${busyUntil(time, sql`(o.upstream ->> 'secondsMax')`)}
      from taken join open o using (settlement_id) join asked a on ${fits}
    )
    select (o.units - o.units_taken)::text as before, taken.units::text as taken, o.payer, o.amount::text, o.network,
      o.agent_id as "agentId", o.owner_id as "ownerId", o.upstream, o.sealed_upstream_headers as "sealedUpstreamHeaders"
    from taken join open o using (settlement_id)`;
  const [row] = (await executePrepared<Taken>(db, statement)).rows;
  return row ?? null;
}

const whole = (units: bigint) => sql`${units.toString()}::numeric`;

/** Gives a call that begins to stream its whole time again. False if it counted as dead before. */
export async function prolongCall(
  db: Queryable,
  callId: PassCallId,
  { time, secondsMax }: { time: Date; secondsMax: number },
): Promise<boolean> {
  const prolonged = await db
    .update(passCalls)
    .set({ busyUntil: busyUntil(time, secondsMax) })
    .where(eq(passCalls.callId, callId))
    .returning({ callId: passCalls.callId });
  return prolonged.length > 0;
}

/** How many of the units of failed calls come back to the pass `p`. `failedBefore`: those of calls that failed earlier. */
const backOf = (units: SQL, failedBefore: SQL) => sql`case when p.units is null then ${units}
  else least(${units}, greatest(0, p.units * ${FAILURES_PER_CALL_MAX}::int - ${failedBefore})) end`;

type AnsweredCall = { settlementId: SettlementId; callId: PassCallId; units: bigint; used: bigint };

/**
 * Ends an answered call that has used `used` of its units; the others come back. One that counted as dead is taken again, unless it did not
 * come back then. False if that is not possible: its answer would be free.
 */
export async function endCall(db: Db, call: AnsweredCall, time: Date): Promise<boolean> {
  if (call.used === call.units ? await endTogether(db, call) : await endPart(db, call)) return true;
  return takeAgain(db, call, time);
}

/** Ends calls that have used all their units. False for those that counted as dead. */
const endTogether = batchedBy(
  ({ settlementId }: AnsweredCall) => settlementId,
  (db) => async (calls: readonly AnsweredCall[]) => {
    const ids = sql.param(calls.map(({ callId }) => callId));
    const statement = sql`delete from ${passCalls} where call_id = any(${ids}::text[]) returning call_id as "callId"`;
    const { rows } = await executePrepared<{ callId: PassCallId }>(db, statement);
    const ended = new Set(rows.map(({ callId }) => callId));
    return calls.map(({ callId }) => ended.has(callId));
  },
);

/** Ends a call that has used a part of its units. False if it counted as dead. */
async function endPart(db: Db, { callId, units, used }: AnsweredCall): Promise<boolean> {
  const statement = sql`
    with ended as (delete from ${passCalls} where call_id = ${callId} returning settlement_id)
    update ${passes} p set units_taken = p.units_taken - ${whole(units - used)}
    from ended where p.settlement_id = ended.settlement_id returning p.settlement_id`;
  return (await executePrepared(db, statement)).rows.length > 0;
}

/** A statement of its own, because one that waited for the job that ends dead calls would judge the pass as it was before. */
async function takeAgain(db: Db, { settlementId, units, used }: AnsweredCall, time: Date): Promise<boolean> {
  const cameBack = backOf(whole(units), sql`greatest(0, p.units_failed - ${whole(units)})`);
  const more = sql`${whole(used - units)} + ${cameBack}`;
  const statement = sql`
    update ${passes} p set units_failed = greatest(0, p.units_failed - ${whole(units)}), units_taken = p.units_taken + ${more}
    from ${settlements} s
    where p.settlement_id = ${settlementId} and s.id = p.settlement_id
      and (p.units is null or p.units_taken + ${more} <= p.units) and ${isOpen(time)}
    returning p.settlement_id`;
  return (await executePrepared(db, statement)).rows.length > 0;
}

/**
 * What became of a call without an answer. `back`: the pass has it again. `blocked`: it has, but admits none, because of a refund or its
 * hours. `counted`: too many calls failed before. `unknown`: it counted as dead before, or its end could not be stored.
 */
export type CallEnd = "back" | "blocked" | "counted" | "unknown";

const endOfReturned = (time: Date) => sql`case when ${isOpen(time)} then 'back' else 'blocked' end`;

/** Ends a call that the upstream did not answer. */
export async function endFailed(db: Queryable, callId: PassCallId, time: Date): Promise<CallEnd> {
  const { rows } = await db.execute<{ callEnd: CallEnd }>(sql`
    with ended as (delete from ${passCalls} where call_id = ${callId} returning settlement_id, units)
    update ${passes} p set units_failed = p.units_failed + ended.units,
      units_taken = p.units_taken - ${backOf(sql`ended.units`, sql`p.units_failed`)}
    from ended, ${settlements} s where p.settlement_id = ended.settlement_id and s.id = p.settlement_id
    returning case when p.units_failed > p.units * ${FAILURES_PER_CALL_MAX}::int then 'counted' else ${endOfReturned(time)} end as "callEnd"`);
  return rows[0]?.callEnd ?? "unknown";
}

/** Ends a call for which the upstream was not asked, or that this service broke off. It comes back, at most once. */
export async function giveBack(db: Queryable, callId: PassCallId, time: Date): Promise<CallEnd> {
  const { rows } = await db.execute<{ callEnd: CallEnd }>(sql`
    with ended as (delete from ${passCalls} where call_id = ${callId} returning settlement_id, units)
    update ${passes} p set units_taken = p.units_taken - ended.units
    from ended, ${settlements} s where p.settlement_id = ended.settlement_id and s.id = p.settlement_id
    returning ${endOfReturned(time)} as "callEnd"`);
  return rows[0]?.callEnd ?? "unknown";
}

/** Ends calls whose process has died, as failed ones. Returns how many, at most `atOnce`. */
export async function endDead(db: Queryable, time: Date, atOnce: number): Promise<number> {
  const { rows } = await db.execute<{ calls: number }>(sql`
    with ended as (
      delete from ${passCalls} where call_id in (
        select call_id from ${passCalls} where busy_until < ${time} order by busy_until limit ${atOnce} for update skip locked
      ) returning settlement_id, units
    ), dead as (select settlement_id, count(*)::int as calls, sum(units) as units from ended group by settlement_id)
    update ${passes} p set units_failed = p.units_failed + dead.units,
      units_taken = p.units_taken - ${backOf(sql`dead.units`, sql`p.units_failed`)}
    from dead where p.settlement_id = dead.settlement_id returning dead.calls`);
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}

const underWay = <T>(of: SQL) =>
  sql<T>`(select ${of} from ${passCalls} where ${passCalls.settlementId} = ${passes.settlementId})`;
const UNITS_UNDER_WAY = underWay<bigint>(sql`coalesce(sum(${passCalls.units}), 0)`);

/** A pass with its payment. `isRefunded`: whether a refund has settled, or false if one still can; null without one. */
export type SoldPass = {
  pass: typeof passes.$inferSelect;
  payment: Settlement;
  paymentId: number;
  callsUnderWay: number;
  unitsUnderWay: bigint;
  isRefunded: boolean | null;
};

const selectPasses = (db: Queryable) =>
  db
    .select({
      pass: passes,
      payment: settlements,
      paymentId: receivedPayments.id,
      callsUnderWay: underWay<number>(sql`count(*)`).mapWith(Number),
      unitsUnderWay: UNITS_UNDER_WAY.mapWith(BigInt),
      isRefunded: sql<boolean | null>`(
        select bool_or(t.state = 'settled') from ${settlements} t where t.id = any(${passes.refundTransfers}) and t.state <> 'void'
      )`,
    })
    .from(passes)
    .innerJoin(settlements, eq(settlements.id, passes.settlementId))
    .innerJoin(receivedPayments, eq(receivedPayments.settlementId, passes.settlementId));

/** Concurrent calls share a query: all callers of a pass that is used up ask at once. */
export const find = batchedOn((db) => async (ids: readonly SettlementId[]) => {
  const rows = await selectPasses(db).where(inArray(passes.settlementId, [...new Set(ids)]));
  return inOrder(ids, rows, ({ pass }) => pass.settlementId);
});

/** The settled ones, newest first. `before`: the payment of the last one of the page before. */
export const listOf = (
  db: Queryable,
  linkId: LinkId,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<SoldPass[]> =>
  selectPasses(db)
    .where(
      and(
        eq(passes.linkId, linkId),
        eq(settlements.state, "settled"),
        before === undefined
          ? undefined
          : sql`(${passes.createdAt}, ${passes.settlementId}) < (
              select b.created_at, b.settlement_id from ${passes} b
              join ${receivedPayments} r on r.settlement_id = b.settlement_id where r.id = ${before}
            )`,
      ),
    )
    .orderBy(desc(passes.createdAt), desc(passes.settlementId))
    .limit(limit);

/**
 * The newest payment of `payer` for a pass of the link that admits calls, or will once it has settled, or once the calls under way have
 * failed.
 */
export async function findUsable(
  db: Queryable,
  { linkId, network, payer }: { linkId: LinkId; network: NetworkName; payer: Address },
  time: Date,
): Promise<Settlement | null> {
  const isUsable = sql`exists (
    select from ${passes} p, ${settlements} s where p.settlement_id = ${passes.settlementId} and s.id = p.settlement_id
      and (p.units is null or p.units_taken - ${UNITS_UNDER_WAY} + p.least_units <= p.units) and ${isOpen(time)}
  )`;
  const [row] = await selectPasses(db)
    .where(
      and(
        eq(passes.linkId, linkId),
        eq(settlements.payer, payer),
        eq(settlements.network, network),
        eq(settlements.asset, NETWORKS[network].usdc),
        or(inArray(settlements.state, UNENDED), isUsable),
      ),
    )
    .orderBy(sql`${settlements.state} <> 'settled'`, desc(passes.createdAt))
    .limit(1);
  return row?.payment ?? null;
}

const paidBy = (db: Queryable, paymentId: number) =>
  inArray(
    passes.settlementId,
    db.select({ id: receivedPayments.settlementId }).from(receivedPayments).where(eq(receivedPayments.id, paymentId)),
  );

/** The pass that the payment with this id bought. */
export async function findPaid(db: Queryable, paymentId: number): Promise<SoldPass | null> {
  const [row] = await selectPasses(db).where(paidBy(db, paymentId));
  return row ?? null;
}

/** Admits no call while this transfer, a refund of the payment, has settled or still can. Locks the pass until `tx` ends. */
export async function addRefund(tx: Tx, paymentId: number, transfer: SettlementId): Promise<void> {
  await tx
    .update(passes)
    .set({ refundTransfers: sql`array_append(${passes.refundTransfers}, ${transfer})` })
    .where(paidBy(tx, paymentId));
}
