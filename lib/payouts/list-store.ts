import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { AgentId, MandateId, OwnerId, PayoutId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { owners } from "@/lib/owners/tables";
import type { Queryable } from "@/lib/platform/db";
import { chainCursors, settlements } from "@/lib/settlements/tables";
import type { NetworkName } from "@/lib/x402/networks";
import type { PayoutStatus } from "./rules";
import type { FullLeg, PayoutWithParties } from "./store";
import { payoutLegs, payouts } from "./tables";

/** If the payout is older than the link of its agent to an owner, the agent's current owner decides. */
const decider = sql<OwnerId | null>`coalesce(${payouts.ownerId}, ${agents.ownerId})`;

const withParties = (db: Queryable) =>
  db
    .select({ payout: payouts, agentName: agents.name, ownerId: decider, ownerAddress: owners.address })
    .from(payouts)
    .leftJoin(agents, eq(agents.id, payouts.agentId))
    .leftJoin(owners, eq(owners.id, decider));

export async function find(db: Queryable, id: PayoutId): Promise<PayoutWithParties | null> {
  const [row] = await withParties(db).where(eq(payouts.id, id));
  return row ?? null;
}

export async function findForAgent(
  db: Queryable,
  agentId: AgentId,
  payoutId: string,
): Promise<PayoutWithParties | null> {
  const [row] = await withParties(db).where(and(eq(payouts.agentId, agentId), eq(payouts.payoutId, payoutId)));
  return row ?? null;
}

/**
 * The only payout of an agent with this payoutId; null if there is none. Payouts of agents without an owner count only if
 * there is no other: anybody can register an agent, and must not be able to hide other people's payouts.
 */
export async function findOnly(db: Queryable, payoutId: string): Promise<PayoutWithParties | "several" | null> {
  const rows = await withParties(db)
    .where(and(eq(payouts.payoutId, payoutId), isNotNull(payouts.agentId)))
    .orderBy(sql`${decider} is null`)
    .limit(2);
  const [first, second] = rows;
  if (!first) return null;
  const isOnly = !second || (first.ownerId !== null && second.ownerId === null);
  return isOnly ? first : "several";
}

/** The legs of each payout, by index, in one query. */
export async function legsOf(db: Queryable, ids: readonly PayoutId[]): Promise<Map<PayoutId, FullLeg[]>> {
  const legsByPayout = new Map<PayoutId, FullLeg[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return legsByPayout;
  const rows = await db
    .select({ leg: payoutLegs, transfer: settlements })
    .from(payoutLegs)
    .leftJoin(settlements, eq(settlements.id, payoutLegs.settlementId))
    .where(inArray(payoutLegs.payout, [...ids]))
    .orderBy(asc(payoutLegs.payout), asc(payoutLegs.index));
  for (const row of rows) legsByPayout.get(row.leg.payout)?.push(row);
  return legsByPayout;
}

/** The last block read of each chain. */
export async function readTo(db: Queryable): Promise<Map<NetworkName, bigint>> {
  const rows = await db.select({ network: chainCursors.network, block: chainCursors.blockNumber }).from(chainCursors);
  return new Map(rows.map((row) => [row.network, row.block]));
}

export type PayoutFilter = {
  status?: PayoutStatus | undefined;
  network?: NetworkName | undefined;
  bizId?: string | undefined;
  mandateId?: MandateId | undefined;
  /** Null for the owner's own payouts, `any` for those of existing agents that are linked to the owner. */
  agentId?: AgentId | null | "any" | undefined;
  /** Found in the payoutId, bizId, description or a recipient's address. */
  text?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};
/** `isFair`: the newest payout of each agent first, so that one agent cannot hide another's. */
export type PayoutSlice = { now: Date; after?: Cursor | undefined; limit: number; isFair?: boolean };

/** Newest first. */
export const listForAgent = (
  db: Queryable,
  agentId: AgentId,
  filter: PayoutFilter,
  slice: PayoutSlice,
): Promise<PayoutWithParties[]> => list(db, eq(payouts.agentId, agentId), filter, slice);

/** Payouts of the owner and of the owner's agents, newest first. */
export function listForOwner(
  db: Queryable,
  ownerId: OwnerId,
  filter: PayoutFilter,
  slice: PayoutSlice,
): Promise<PayoutWithParties[]> {
  // An array: with a join PostgreSQL would read the payouts of all owners.
  const agentIds = sql`array(select ${agents.id} from ${agents} where ${agents.ownerId} = ${ownerId})`;
  const wasUnlinked = and(isNull(payouts.ownerId), sql`${payouts.agentId} = any(${agentIds})`);
  return list(db, or(eq(payouts.ownerId, ownerId), wasUnlinked), filter, slice);
}

/** Payouts since `since` that nobody has approved, denied or cancelled, also expired ones; oldest first, after `cursor`. */
export const listUndecided = (
  db: Queryable,
  { since, cursor, limit }: { since: Date; cursor: Cursor | null; limit: number },
): Promise<PayoutWithParties[]> =>
  withParties(db)
    .where(
      and(
        gte(payouts.createdAt, since),
        isNull(payouts.approvedAt),
        isNull(payouts.deniedAt),
        isNull(payouts.cancelledAt),
        cursor
          ? sql`(${payouts.createdAt}, ${payouts.id}) > (${sql.param(cursor.time, payouts.createdAt)}, ${sql.param(cursor.id)})`
          : undefined,
      ),
    )
    .orderBy(asc(payouts.createdAt), asc(payouts.id))
    .limit(limit);

const list = (
  db: Queryable,
  condition: SQL | undefined,
  f: PayoutFilter,
  { now, after: cursor, limit, isFair }: PayoutSlice,
): Promise<PayoutWithParties[]> =>
  withParties(db)
    .where(
      and(
        condition,
        f.status && isIn(f.status, now),
        f.network && eq(payouts.network, f.network),
        f.bizId === undefined ? undefined : eq(payouts.bizId, f.bizId),
        f.mandateId && eq(payouts.mandateId, f.mandateId),
        isBy(f.agentId),
        f.text === undefined ? undefined : matchesText(db, f.text),
        f.from && gte(payouts.createdAt, f.from),
        f.to && lt(payouts.createdAt, f.to),
        cursor &&
          sql`(${payouts.createdAt}, ${payouts.id}) < (${sql.param(cursor.time, payouts.createdAt)}, ${sql.param(cursor.id)})`,
      ),
    )
    .orderBy(
      ...(isFair
        ? [
            sql`row_number() over (partition by ${payouts.agentId} order by ${payouts.createdAt} desc, ${payouts.id} desc)`,
          ]
        : []),
      desc(payouts.createdAt),
      desc(payouts.id),
    )
    .limit(limit);

function isBy(agentId: PayoutFilter["agentId"]): SQL | undefined {
  if (agentId === undefined) return undefined;
  if (agentId === null) return isNull(payouts.agentId);
  return agentId === "any"
    ? and(
        isNotNull(agents.id),
        isNull(agents.deletedAt),
        or(isNull(payouts.ownerId), eq(agents.ownerId, payouts.ownerId)),
      )
    : eq(payouts.agentId, agentId);
}

function matchesText(db: Queryable, text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const matchingLegs = db
    .select({ payout: payoutLegs.payout })
    .from(payoutLegs)
    .where(and(eq(payoutLegs.payout, payouts.id), ilike(payoutLegs.toAddress, pattern)));
  return or(
    ilike(payouts.payoutId, pattern),
    ilike(payouts.bizId, pattern),
    ilike(payouts.description, pattern),
    sql`exists ${matchingLegs}`,
  );
}

/** `statusOf` in SQL. */
function isIn(status: PayoutStatus, now: Date): SQL | undefined {
  const isUndecided = and(isNull(payouts.approvedAt), isNull(payouts.deniedAt), isNull(payouts.cancelledAt));
  const isUnfinished = and(isNotNull(payouts.approvedAt), isNull(payouts.succeededAt), isNull(payouts.failedAt));
  switch (status) {
    case "denied":
      return isNotNull(payouts.deniedAt);
    case "cancelled":
      return isNotNull(payouts.cancelledAt);
    case "succeeded":
      return isNotNull(payouts.succeededAt);
    case "failed":
      return isNotNull(payouts.failedAt);
    case "expired":
      return and(isUndecided, lte(payouts.expiresAt, now));
    case "pending_authorization":
      return and(isUndecided, gt(payouts.expiresAt, now));
    case "authorized":
      return and(isUnfinished, sql`not ${hasBegun}`);
    case "processing":
      return and(isUnfinished, hasBegun);
    default:
      return status satisfies never;
  }
}

const hasBegun = sql`(${payouts.startedAt} is not null or exists (
  select 1 from ${payoutLegs} join ${settlements} on ${settlements.id} = ${payoutLegs.settlementId}
  where ${payoutLegs.payout} = ${payouts.id} and (${settlements.state} <> 'claimed' or ${settlements.attempts} > 0)))`;
