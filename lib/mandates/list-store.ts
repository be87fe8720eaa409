import { and, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { addSeconds } from "@/lib/core/time";
import type { Queryable } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import { type MandateGroup, SIGNING_SECONDS_MAX } from "./rules";
import { type Mandate, type Parties, withParties } from "./store";
import { type MandateMode, mandates } from "./tables";

/** Part of one group, newest first. */
export type MandateSlice = { group: MandateGroup; now: Date; after?: Cursor | undefined; limit: number };

/** The states are literals: the planner uses a partial index only if the query implies its condition. */
function isIn(group: MandateGroup, now: Date): SQL {
  const timeParam = sql.param(now, mandates.validUntil);
  const since = sql.param(addSeconds(now, -SIGNING_SECONDS_MAX), mandates.createdAt);
  const hasMoney = sql`${mandates.validUntil} > ${timeParam} and ${mandates.spentAmount} + ${mandates.pendingAmount} < ${mandates.limitAmount}`;
  const isSigned = sql`${mandates.state} = 'signed'`;
  const isUnsigned = sql`${mandates.state} in ('draft', 'pending_signature')`;
  const isOpen = sql`${mandates.createdAt} > ${since} and ${mandates.validUntil} > ${timeParam}`;
  switch (group) {
    case "active":
      return sql`(${isSigned} and ${mandates.isEnabled} and ${hasMoney})`;
    case "paused":
      return sql`(${isSigned} and not ${mandates.isEnabled} and ${hasMoney})`;
    case "waiting":
      return sql`(${isUnsigned} and ${isOpen})`;
    case "ended":
      return sql`not (${isSigned} and ${hasMoney}) and not (${isUnsigned} and ${isOpen})`;
    default:
      return group satisfies never;
  }
}

const isAfter = (cursor: Cursor | undefined) =>
  cursor &&
  sql`(${mandates.createdAt}, ${mandates.id}) < (${sql.param(cursor.time, mandates.createdAt)}, ${sql.param(cursor.id)})`;

/** New objects for each query: drizzle rewrites those of a union, and they would then lack the table's name in other queries. */
const newestFirst = () => [desc(mandates.createdAt), desc(mandates.id)];

export const listForAgent = (
  db: Queryable,
  agentId: AgentId,
  { group, now, after: cursor, limit }: MandateSlice,
): Promise<Mandate[]> =>
  db
    .select()
    .from(mandates)
    .where(and(eq(mandates.agentId, agentId), isIn(group, now), isAfter(cursor)))
    .orderBy(...newestFirst())
    .limit(limit);

/** The number of an agent's mandates, and of those that are active, paused or wait for a signature. */
export async function countForAgent(
  db: Queryable,
  agentId: AgentId,
  now: Date,
): Promise<{ open: number; total: number }> {
  const isOpen = sql`${isIn("active", now)} or ${isIn("paused", now)} or ${isIn("waiting", now)}`;
  const [row] = await db
    .select({ open: sql<number>`(count(*) filter (where ${isOpen}))::int`, total: sql<number>`count(*)::int` })
    .from(mandates)
    .where(eq(mandates.agentId, agentId));
  return row ?? { open: 0, total: 0 };
}

/** The mandates that an owner sees: their own, and drafts that their agents requested before they were linked. */
export type Scope = {
  ownerId: OwnerId;
  agentId?: AgentId | undefined;
  network?: NetworkName | undefined;
  mode?: MandateMode | undefined;
  /** Searched in the purpose, the category and the hosts, case-insensitively. */
  text?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};

/** A union of two queries, each with its own index: an OR would sort all of the owner's mandates. */
function slice(db: Queryable, scope: Scope, { group, now, after: cursor, limit }: MandateSlice) {
  const { ownerId, agentId, network, mode, text, from, to } = scope;
  const { naturalLanguage, category, hostAllowlist, createdAt } = mandates;
  const part = (condition: SQL | undefined) =>
    db
      .select({ id: mandates.id, createdAt })
      .from(mandates)
      .where(
        and(
          condition,
          isIn(group, now),
          network && eq(mandates.network, network),
          mode && eq(mandates.mode, mode),
          text === undefined
            ? undefined
            : sql`strpos(lower(concat_ws(' ', ${naturalLanguage}, ${category}, array_to_string(${hostAllowlist}, ' '))), lower(${text})) > 0`,
          from && gte(createdAt, from),
          to && lt(createdAt, to),
          isAfter(cursor),
        ),
      )
      .orderBy(...newestFirst())
      .limit(limit);
  const ownMandates = part(and(eq(mandates.ownerId, ownerId), agentId && eq(mandates.agentId, agentId)));
  const draft = part(and(isNull(mandates.ownerId), sql`${mandates.agentId} = agent.id`)).as("draft");
  const drafts = db
    .select({ id: draft.id, createdAt: draft.createdAt })
    .from(
      sql`(select ${agents.id} as id from ${agents} where ${and(eq(agents.ownerId, ownerId), agentId && eq(agents.id, agentId))}) as agent`,
    )
    .crossJoinLateral(draft);
  return unionAll(ownMandates, drafts)
    .orderBy(...newestFirst())
    .limit(limit);
}

export async function listForOwner(db: Queryable, scope: Scope, page: MandateSlice): Promise<Parties[]> {
  const ids = (await slice(db, scope, page)).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await withParties(db).where(inArray(mandates.id, ids));
  const byId = new Map(rows.map((row) => [row.mandate.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The number of mandates in a group, counted up to `max`. */
export async function countForOwner(
  db: Queryable,
  scope: Scope,
  { group, now, max }: { group: MandateGroup; now: Date; max: number },
): Promise<number> {
  const some = slice(db, scope, { group, now, limit: max }).as("some");
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some);
  return row?.count ?? 0;
}

const ofLivingAgents = (ownerId: OwnerId) => and(eq(mandates.ownerId, ownerId), isNull(agents.deletedAt));

/** Mandates that wait for the owner's signature, the newest of each agent first, so that one agent cannot hide another's. */
export const listWaiting = (db: Queryable, ownerId: OwnerId, now: Date, limit: number): Promise<Parties[]> =>
  withParties(db)
    .where(and(ofLivingAgents(ownerId), isIn("waiting", now), eq(mandates.state, "pending_signature")))
    .orderBy(
      sql`row_number() over (partition by ${mandates.agentId} order by ${mandates.createdAt} desc, ${mandates.id} desc)`,
      ...newestFirst(),
    )
    .limit(limit);

/** Active mandates with at most a fifth of the limit left, or in the last three days or tenth of their validity, whichever is shorter. */
export const listEnding = (db: Queryable, ownerId: OwnerId, now: Date, limit: number): Promise<Parties[]> => {
  const { limitAmount, spentAmount, pendingAmount, validFrom, validUntil } = mandates;
  const isLow = sql`(${limitAmount} - ${spentAmount} - ${pendingAmount}) * 5 <= ${limitAmount}`;
  const window = sql`least(interval '3 days', (${validUntil} - ${validFrom}) / 10)`;
  const isEnding = sql`${validUntil} - ${sql.param(now, validUntil)}::timestamptz <= ${window}`;
  return withParties(db)
    .where(and(ofLivingAgents(ownerId), isIn("active", now), sql`(${isLow} or ${isEnding})`))
    .orderBy(mandates.validUntil, mandates.id)
    .limit(limit);
};

/** Whether the owner has ever signed a mandate. */
export async function hasSigned(db: Queryable, ownerId: OwnerId): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(
    sql`select exists (select from ${mandates} where ${mandates.ownerId} = ${ownerId} and ${mandates.signedAt} is not null) as is`,
  );
  return rows[0]?.is ?? false;
}

/** For each agent of the owner: the number of its mandates, and of those that it can pay with at `now`. */
export async function countByAgent(
  db: Queryable,
  ownerId: OwnerId,
  now: Date,
): Promise<Map<AgentId, { total: number; active: number }>> {
  const rows = await db
    .select({
      agentId: agents.id,
      total: sql<number>`count(${mandates.id})::int`,
      active: sql<number>`(count(*) filter (where ${isIn("active", now)}))::int`,
    })
    .from(agents)
    .innerJoin(mandates, eq(mandates.agentId, agents.id))
    .where(and(eq(agents.ownerId, ownerId), isNull(agents.deletedAt)))
    .groupBy(agents.id);
  return new Map(rows.map(({ agentId, ...counts }) => [agentId, counts]));
}

/** What the owner's active mandates can still spend, and how many they are, for each network that has some. */
export const sumLeft = (db: Queryable, ownerId: OwnerId, now: Date) =>
  db
    .select({
      network: mandates.network,
      count: sql<number>`count(*)::int`,
      left: sql`sum(${mandates.limitAmount} - ${mandates.spentAmount} - ${mandates.pendingAmount})`.mapWith(
        mandates.limitAmount,
      ),
    })
    .from(mandates)
    .innerJoin(agents, eq(agents.id, mandates.agentId))
    .where(and(ofLivingAgents(ownerId), isIn("active", now)))
    .groupBy(mandates.network);

/** The sum that payments and payouts under the owner's mandates on a network have reserved in their spending wallet. */
export async function sumPending(db: Queryable, ownerId: OwnerId, network: NetworkName) {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${mandates.pendingAmount}), 0)`.mapWith(mandates.pendingAmount) })
    .from(mandates)
    .where(
      and(
        eq(mandates.ownerId, ownerId),
        eq(mandates.network, network),
        eq(mandates.mode, "wallet"),
        sql`${mandates.signedAt} is not null`,
      ),
    );
  return row?.total ?? null;
}
