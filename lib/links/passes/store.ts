import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { AgentId, LinkId, OwnerId, PassCallId, SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc } from "@/lib/core/money";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { Settlement } from "@/lib/settlements/service";
import { settlements, UNENDED } from "@/lib/settlements/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { passCalls, passes, paymentLinks, receivedPayments } from "../tables";
import { BUSY_MARGIN_SECONDS } from "../upstream/limits";
import type { Upstream } from "../upstream/rules";
import { PASSES_SHOWN_MAX } from "./limits";
import type { Admitted } from "./rules";

export async function add(tx: Tx, row: typeof passes.$inferInsert): Promise<void> {
  await tx.insert(passes).values(row);
}

/** A call that a pass admits, with all that forwarding it needs. */
export type TakenCall = {
  callsLeft: number | null;
  admitted: Admitted;
  payer: Address;
  amount: Usdc;
  network: NetworkName;
  agentId: AgentId;
  ownerId: OwnerId;
  upstream: Upstream;
  sealedUpstreamHeaders: string | null;
};

/**
 * Takes a call from a pass that has one left; null if it has none, is over, or is not of this link. The row of the pass is locked, so
 * concurrent calls take one after another.
 */
export async function takeCall(
  db: Queryable,
  { settlementId, linkId, callId }: { settlementId: SettlementId; linkId: LinkId; callId: PassCallId },
  time: Date,
): Promise<TakenCall | null> {
  type Row = Omit<TakenCall, "amount"> & { amount: string };
  const { rows } = await db.execute<Row>(sql`
    with taken as (
      update ${passes} p set calls_taken = p.calls_taken + 1, last_used_at = ${time}
      from ${settlements} s, ${paymentLinks} l
      where p.settlement_id = ${settlementId} and p.link_id = ${linkId}
        and s.id = p.settlement_id and l.link_id = p.link_id
        and s.state = 'settled' and p.refunded_at is null and l.upstream is not null
        and (p.calls is null or p.calls_taken < p.calls)
        and (p.hours is null or s.ended_at + make_interval(hours => p.hours) > ${time})
      returning p.settlement_id, p.calls - p.calls_taken as calls_left, p.admitted, s.payer, s.amount, s.network, l.agent_id,
        l.owner_id, l.upstream, l.sealed_upstream_headers
    ), started as (
      insert into ${passCalls} (call_id, settlement_id, busy_until)
      select ${callId}, settlement_id,
        ${time}::timestamptz + make_interval(secs => (upstream ->> 'secondsMax')::int + ${BUSY_MARGIN_SECONDS}::int)
      from taken
    )
    select calls_left as "callsLeft", admitted, payer, amount::text, network, agent_id as "agentId",
      owner_id as "ownerId", upstream, sealed_upstream_headers as "sealedUpstreamHeaders"
    from taken`);
  const [row] = rows;
  return row ? { ...row, amount: toUsdc(BigInt(row.amount)) } : null;
}

/** Ends an answered call. */
export async function endCall(db: Queryable, callId: PassCallId): Promise<void> {
  await db.delete(passCalls).where(eq(passCalls.callId, callId));
}

/** Ends a call without an answer and gives it back to its pass, at most once. `isFailure`: the upstream was asked. */
export async function giveBack(
  db: Queryable,
  callId: PassCallId,
  { isFailure }: { isFailure: boolean },
): Promise<void> {
  await db.execute(sql`
    with ended as (delete from ${passCalls} where call_id = ${callId} returning settlement_id)
    update ${passes} p set calls_taken = p.calls_taken - 1, calls_failed = p.calls_failed + ${isFailure ? 1 : 0}
    from ended where p.settlement_id = ended.settlement_id`);
}

/** Gives calls back whose process has died. Returns how many. */
export async function giveBackDead(db: Queryable, settlementId: SettlementId, time: Date): Promise<number> {
  const { rows } = await db.execute<{ deadCalls: number }>(sql`
    with dead as (
      delete from ${passCalls} where call_id in (
        select call_id from ${passCalls} where settlement_id = ${settlementId} and busy_until < ${time}
        for update skip locked
      ) returning call_id
    ), counted as (select count(*)::int as dead_calls from dead)
    update ${passes} p set calls_taken = p.calls_taken - dead_calls, calls_failed = p.calls_failed + dead_calls
    from counted where p.settlement_id = ${settlementId} and dead_calls > 0 returning dead_calls as "deadCalls"`);
  return rows[0]?.deadCalls ?? 0;
}

const UNDER_WAY = sql<number>`(select count(*) from ${passCalls} where ${passCalls.settlementId} = ${passes.settlementId})`;

/** A pass with its payment. */
export type SoldPass = {
  pass: typeof passes.$inferSelect;
  payment: Settlement;
  paymentId: number;
  callsUnderWay: number;
};

const selectPasses = (db: Queryable) =>
  db
    .select({
      pass: passes,
      payment: settlements,
      paymentId: receivedPayments.id,
      callsUnderWay: UNDER_WAY.mapWith(Number),
    })
    .from(passes)
    .innerJoin(settlements, eq(settlements.id, passes.settlementId))
    .innerJoin(receivedPayments, eq(receivedPayments.settlementId, passes.settlementId));

export async function find(db: Queryable, settlementId: SettlementId): Promise<SoldPass | null> {
  const [row] = await selectPasses(db).where(eq(passes.settlementId, settlementId));
  return row ?? null;
}

/** The settled ones, newest first. */
export const listOf = (db: Queryable, linkId: LinkId): Promise<SoldPass[]> =>
  selectPasses(db)
    .where(and(eq(passes.linkId, linkId), eq(settlements.state, "settled")))
    .orderBy(desc(passes.createdAt), desc(passes.settlementId))
    .limit(PASSES_SHOWN_MAX);

/** The newest payment of `payer` for a pass of the link that admits calls, or will once it has settled. */
export async function findUsable(
  db: Queryable,
  { linkId, payer }: { linkId: LinkId; payer: Address },
  time: Date,
): Promise<Settlement | null> {
  const hasTime = sql`(${passes.hours} is null or ${settlements.endedAt} + make_interval(hours => ${passes.hours}) > ${time})`;
  const isUsable = and(
    eq(settlements.state, "settled"),
    sql`${passes.refundedAt} is null and (${passes.calls} is null or ${passes.callsTaken} < ${passes.calls})`,
    hasTime,
  );
  const [row] = await selectPasses(db)
    .where(
      and(eq(passes.linkId, linkId), eq(settlements.payer, payer), or(isUsable, inArray(settlements.state, UNENDED))),
    )
    .orderBy(sql`${settlements.state} <> 'settled'`, desc(passes.createdAt))
    .limit(1);
  return row?.payment ?? null;
}

/** For a refund of the payment with this id; does nothing if that bought no pass. */
export async function endRefunded(tx: Tx, paymentId: number, time: Date): Promise<void> {
  const payment = tx
    .select({ id: receivedPayments.settlementId })
    .from(receivedPayments)
    .where(eq(receivedPayments.id, paymentId));
  await tx.update(passes).set({ refundedAt: time }).where(inArray(passes.settlementId, payment));
}
