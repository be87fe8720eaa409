import { and, desc, eq, getTableColumns, gte, inArray, isNotNull, isNull, lt, not, or, sql } from "drizzle-orm";
import type { LinkId, SettlementId } from "@/lib/core/ids";
import { toUsdc, type Usdc } from "@/lib/core/money";
import type { Db, Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import { hasUsablePass } from "../passes/store";
import { endedUpstreams, upstreamCalls } from "../tables";
import type { UpstreamColumns } from "./columns";
import { CALLS_SHOWN_MAX, SLOWEST_SHOWN_MAX, TRIES_MAX } from "./limits";
import type { PaidMethod, UpstreamFailure } from "./rules";

type Row = typeof upstreamCalls.$inferSelect;
/** A call without its answer. */
export type UpstreamCall = Omit<Row, "sealedAnswer">;

const { sealedAnswer: _, ...LISTED } = getTableColumns(upstreamCalls);

export async function add(tx: Tx, row: typeof upstreamCalls.$inferInsert): Promise<void> {
  await tx.insert(upstreamCalls).values(row);
}

export async function find(db: Queryable, settlementId: SettlementId): Promise<UpstreamCall | null> {
  const [row] = await db.select(LISTED).from(upstreamCalls).where(eq(upstreamCalls.settlementId, settlementId));
  return row ?? null;
}

/** The kept answer of a call. It can have half a megabyte. */
export async function findAnswer(db: Queryable, settlementId: SettlementId): Promise<string | null> {
  const { sealedAnswer } = upstreamCalls;
  const [row] = await db
    .select({ sealedAnswer })
    .from(upstreamCalls)
    .where(eq(upstreamCalls.settlementId, settlementId));
  return row?.sealedAnswer ?? null;
}

/** Whether the buyer has a streamed answer until a limit of the link, so that no other try is owed. */
export const endedAtLimit = ({ answeredAt, failure }: Pick<Row, "answeredAt" | "failure">): boolean =>
  answeredAt !== null && failure !== null;

/** Starts one try; null if another runs, an answer was delivered that is kept or ended at a limit, or all tries were made. */
export async function startTry(
  db: Queryable,
  settlementId: SettlementId,
  { time, busyUntil }: { time: Date; busyUntil: Date },
): Promise<UpstreamCall | null> {
  const [row] = await db
    .update(upstreamCalls)
    .set({ busyUntil, triesStarted: sql`${upstreamCalls.triesStarted} + 1` })
    .where(
      and(
        eq(upstreamCalls.settlementId, settlementId),
        isNull(upstreamCalls.sealedAnswer),
        // Not `endedAtLimit`.
        or(isNull(upstreamCalls.answeredAt), isNull(upstreamCalls.failure)),
        lt(upstreamCalls.triesStarted, TRIES_MAX),
        or(isNull(upstreamCalls.busyUntil), lt(upstreamCalls.busyUntil, time)),
      ),
    )
    .returning(LISTED);
  return row ?? null;
}

type TryEnd = Pick<Row, "status" | "failure" | "milliseconds" | "answeredAt" | "sealedAnswer">;

/** Ends the try that runs until `busyUntil`. Does nothing if another one has replaced it. */
export async function endTry(db: Queryable, settlementId: SettlementId, busyUntil: Date, end: TryEnd): Promise<void> {
  await db
    .update(upstreamCalls)
    .set({ ...end, busyUntil: null })
    .where(and(eq(upstreamCalls.settlementId, settlementId), eq(upstreamCalls.busyUntil, busyUntil)));
}

/** Newest first. */
export const listOf = (db: Queryable, linkId: LinkId): Promise<UpstreamCall[]> =>
  db
    .select(LISTED)
    .from(upstreamCalls)
    .where(eq(upstreamCalls.linkId, linkId))
    .orderBy(desc(upstreamCalls.createdAt))
    .limit(CALLS_SHOWN_MAX);

/** The figures of a link's settled calls in a period. */
export type CallFigures = {
  requests: number;
  /** Before refunds. */
  income: Usdc;
  /** How often the last answer had each status; null without one. Most frequent first. */
  statuses: { status: number | null; requests: number }[];
  failures: { failure: UpstreamFailure; requests: number }[];
  /** Of answered calls by the link's paths, slowest first. */
  slowest: { method: PaidMethod; path: string; requests: number; milliseconds: number }[];
};

export async function figuresOf(db: Queryable, linkId: LinkId, since: Date): Promise<CallFigures> {
  const isRecent = and(eq(upstreamCalls.linkId, linkId), gte(upstreamCalls.createdAt, since));
  const settled = and(isRecent, eq(settlements.state, "settled"));
  const isPaid = eq(settlements.id, upstreamCalls.settlementId);
  const requests = sql<number>`count(*)`.mapWith(Number);
  const averageMs = sql<number>`round(avg(${upstreamCalls.milliseconds}))`.mapWith(Number);
  const [totals, statuses, failures, slowest] = await Promise.all([
    db
      .select({ requests, income: sql<string>`coalesce(sum(${settlements.amount}), 0)::text` })
      .from(upstreamCalls)
      .innerJoin(settlements, isPaid)
      .where(settled),
    db
      .select({ status: upstreamCalls.status, requests })
      .from(upstreamCalls)
      .innerJoin(settlements, isPaid)
      .where(settled)
      .groupBy(upstreamCalls.status)
      .orderBy(desc(requests)),
    db
      .select({ failure: upstreamCalls.failure, requests })
      .from(upstreamCalls)
      .innerJoin(settlements, isPaid)
      .where(and(settled, isNotNull(upstreamCalls.failure)))
      .groupBy(upstreamCalls.failure)
      .orderBy(desc(requests)),
    db
      .select({ method: upstreamCalls.method, path: upstreamCalls.pattern, requests, milliseconds: averageMs })
      .from(upstreamCalls)
      .innerJoin(settlements, isPaid)
      .where(and(settled, isNotNull(upstreamCalls.answeredAt)))
      .groupBy(upstreamCalls.method, upstreamCalls.pattern)
      .orderBy(desc(averageMs))
      .limit(SLOWEST_SHOWN_MAX),
  ]);
  const [total] = totals;
  return {
    requests: total?.requests ?? 0,
    income: toUsdc(BigInt(total?.income ?? 0)),
    statuses,
    failures: failures.flatMap(({ failure, ...count }) => (failure === null ? [] : [{ failure, ...count }])),
    slowest,
  };
}

/** Deletes answers that were given before `before`. Returns how many, at most `atOnce`. */
export async function forgetAnswers(db: Db, before: Date, atOnce: number): Promise<number> {
  const old = db
    .select({ settlementId: upstreamCalls.settlementId })
    .from(upstreamCalls)
    .where(and(isNotNull(upstreamCalls.sealedAnswer), lt(upstreamCalls.answeredAt, before)))
    .limit(atOnce);
  const forgotten = await db
    .update(upstreamCalls)
    .set({ sealedAnswer: null })
    .where(inArray(upstreamCalls.settlementId, old))
    .returning({ settlementId: upstreamCalls.settlementId });
  return forgotten.length;
}

/** Keeps the upstream of a link that loses it. */
export async function addEnded(tx: Tx, row: typeof endedUpstreams.$inferInsert): Promise<void> {
  await tx.insert(endedUpstreams).values(row).onConflictDoUpdate({ target: endedUpstreams.linkId, set: row });
}

export async function removeEnded(tx: Tx, linkId: LinkId): Promise<void> {
  await tx.delete(endedUpstreams).where(eq(endedUpstreams.linkId, linkId));
}

export async function findEnded(db: Queryable, linkId: LinkId): Promise<UpstreamColumns | null> {
  const { upstream, sealedUpstreamHeaders } = endedUpstreams;
  const [row] = await db
    .select({ upstream, sealedUpstreamHeaders })
    .from(endedUpstreams)
    .where(eq(endedUpstreams.linkId, linkId));
  return row ?? null;
}

/** Deletes upstreams that ended before `before`, without those that a pass may call. Returns how many, at most `atOnce`. */
export async function forgetEnded(db: Db, before: Date, atOnce: number): Promise<number> {
  const old = db
    .select({ linkId: endedUpstreams.linkId })
    .from(endedUpstreams)
    .where(and(lt(endedUpstreams.endedAt, before), not(hasUsablePass(endedUpstreams.linkId, before))))
    .limit(atOnce);
  const forgotten = await db
    .delete(endedUpstreams)
    // Again, because a link can lose another one meanwhile.
    .where(and(inArray(endedUpstreams.linkId, old), lt(endedUpstreams.endedAt, before)))
    .returning({ linkId: endedUpstreams.linkId });
  return forgotten.length;
}
