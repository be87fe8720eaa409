import { hash } from "node:crypto";
import { and, asc, desc, eq, gte, inArray, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { batchedOn } from "./batch";
import type { Db, Queryable, Tx } from "./db";
import { eventOutbox, events } from "./tables";

export type Event = {
  type: string;
  subject: string;
  ownerId?: OwnerId | null;
  agentId?: AgentId | null;
  meta?: Record<string, unknown>;
};

/** Writes events in the transaction that makes them true. The owner can read them, and webhooks deliver them. */
export async function record(db: Queryable, time: Date, ...happened: Event[]): Promise<void> {
  if (happened.length === 0) return;
  const rows = JSON.stringify(happened.map((event) => rowOf(time, event)));
  await db.execute(sql`${sql.raw(RECORD_ROWS.head)}${rows}${sql.raw(RECORD_ROWS.rows + RECORD_ROWS.tail)}`);
}

/** Like record, for events that are recorded once: an event with the `key` of an earlier one is not written. */
export async function recordOnce(db: Queryable, time: Date, ...happened: (Event & { key: string })[]): Promise<void> {
  if (happened.length === 0) return;
  const rows = happened.map(({ key, ...event }) => ({
    ...rowOf(time, event),
    id: `evt_${hash("sha256", key, "hex").slice(0, 24)}`,
  }));
  const { head, rows: ofRows, onlyNew, tail } = RECORD_ROWS;
  await db.execute(sql`${sql.raw(head)}${JSON.stringify(rows)}${sql.raw(ofRows + onlyNew + tail)}`);
}

/** An event about an owner's own account, such as a setting. */
export const recordOfOwner = (
  db: Queryable,
  time: Date,
  ownerId: OwnerId,
  type: `owner.${string}`,
  meta: Record<string, unknown> = {},
): Promise<void> => record(db, time, { type, subject: ownerId, ownerId, meta });

/** One statement, so that an event and its outbox row are always written together. */
const RECORD_ROWS = {
  head: `with written as (
    insert into events (id, type, subject, owner_id, agent_id, meta, created_at)
    select id, type, subject, "ownerId", "agentId", meta, "createdAt" from jsonb_to_recordset(`,
  rows: `::jsonb)
    as row (id text, type text, subject text, "ownerId" text, "agentId" text, meta jsonb, "createdAt" timestamptz)`,
  onlyNew: " on conflict (id) do nothing",
  tail: `
    returning id)
  insert into event_outbox (event_id) select id from written`,
};

const rowOf = (time: Date, { type, subject, ownerId, agentId, meta }: Event): typeof events.$inferInsert => ({
  id: newId("event"),
  type,
  subject,
  ownerId: ownerId ?? null,
  agentId: agentId ?? null,
  meta: meta ?? {},
  createdAt: time,
});

/**
 * Writes an event as its own transaction, batched with others at the same time. The event is committed when the promise
 * resolves.
 */
export const recordSoon = (db: Db, time: Date, event: Event): Promise<void> => write(db, rowOf(time, event));

const write = batchedOn((db) => async (rows: readonly (typeof events.$inferInsert)[]) => {
  // One parameter for any number of rows: the statement is planned once and its text never changes.
  const text = `${RECORD_ROWS.head}$1${RECORD_ROWS.rows}${RECORD_ROWS.tail}`;
  await db.$client.query({ name: "record_events", text, values: [JSON.stringify(rows)] });
  return rows.map(() => undefined);
});

/**
 * Takes up to `limit` undelivered events from the outbox, oldest first. They are removed when `tx` commits and remain when
 * it rolls back. Events locked by another transaction are skipped.
 */
export async function takeUndelivered(tx: Tx, limit: number): Promise<PastEvent[]> {
  // A CTE is evaluated once. A subquery might run again and take more.
  const next = tx
    .$with("next")
    .as(
      tx
        .select({ position: eventOutbox.position })
        .from(eventOutbox)
        .orderBy(asc(eventOutbox.position))
        .limit(limit)
        .for("update", { skipLocked: true }),
    );
  const outboxRows = await tx
    .with(next)
    .delete(eventOutbox)
    .where(inArray(eventOutbox.position, tx.select().from(next)))
    .returning();
  if (outboxRows.length === 0) return [];
  const places = new Map(outboxRows.map(({ eventId, position }) => [eventId, position]));
  const rows = await tx
    .select()
    .from(events)
    .where(inArray(events.id, [...places.keys()]));
  return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

export type PastEvent = typeof events.$inferSelect;
export type EventFilter = {
  ownerId: OwnerId;
  /** The owner's agents. Includes their events without an owner, from before they were linked. */
  agentIds: readonly AgentId[];
  agentId?: AgentId | undefined;
  /** First segments of event types, such as "mandate"; each includes all types with this prefix. */
  kinds?: readonly string[] | undefined;
  type?: string | undefined;
  /** Only events with one of these subjects, except those of type `except`. `since` limits the search: there are none before it. */
  about?: { subjects: readonly string[]; since: Date; except?: string } | undefined;
  after?: Cursor | undefined;
  limit: number;
};

/**
 * Newest first. Events of the owner and unowned events of the agents are read separately, each with its own index, and
 * merged: joined with OR, every page would sort all events.
 */
export function listEvents(db: Queryable, f: EventFilter): Promise<PastEvent[]> {
  const filter = and(
    f.kinds && inArray(sql`split_part(${events.type}, '.', 1)`, [...f.kinds]),
    f.type !== undefined ? eq(events.type, f.type) : undefined,
    f.about &&
      and(
        gte(events.createdAt, f.about.since),
        f.about.except === undefined ? undefined : ne(events.type, f.about.except),
        inArray(events.subject, [...f.about.subjects]),
      ),
    f.after &&
      sql`(${events.createdAt}, ${events.id}) < (${sql.param(f.after.time, events.createdAt)}, ${sql.param(f.after.id)})`,
  );
  const newest = (about: SQL | undefined) =>
    db
      .select()
      .from(events)
      .where(and(about, filter))
      .orderBy(...newestFirst())
      .limit(f.limit);
  const ownerEvents = newest(and(eq(events.ownerId, f.ownerId), f.agentId && eq(events.agentId, f.agentId)));
  const agentIds = f.agentIds.filter((id) => f.agentId === undefined || id === f.agentId);
  const ofAgent = newest(and(sql`${events.agentId} = agent.id`, isNull(events.ownerId))).as("of_agent");
  const { id, type, ownerId, agentId, subject, meta, createdAt } = ofAgent;
  const unowned = db
    .select({ id, type, ownerId, agentId, subject, meta, createdAt })
    .from(sql`unnest(${sql.param(agentIds)}::text[]) as agent(id)`)
    .crossJoinLateral(ofAgent);
  return unionAll(ownerEvents, unowned)
    .orderBy(...newestFirst())
    .limit(f.limit);
}

/** New objects for each query, because drizzle rewrites those of a union. */
const newestFirst = () => [desc(events.createdAt), desc(events.id)];

/** The id of the newest event of each owner that has one. */
export async function newestOf(db: Queryable, ownerIds: readonly OwnerId[]): Promise<Map<OwnerId, string>> {
  const newest = db
    .select({ id: events.id })
    .from(events)
    .where(sql`${events.ownerId} = owner.id`)
    .orderBy(...newestFirst())
    .limit(1)
    .as("newest");
  const rows = await db
    .select({ ownerId: sql<OwnerId>`owner.id`, id: newest.id })
    .from(sql`unnest(${sql.param(ownerIds)}::text[]) as owner(id)`)
    .crossJoinLateral(newest);
  return new Map(rows.map(({ ownerId, id }) => [ownerId, id]));
}

/** Whose events: an owner's, or those of an agent without an owner. */
type Whose = { agentId: AgentId | null; ownerId: OwnerId | null };

/**
 * Events about one subject of an owner or agent between two times, oldest first. The time range keeps the query from
 * reading their whole history.
 */
export const listSubjectEvents = (
  db: Queryable,
  { agentId, ownerId, subject, from, to }: Whose & { subject: string; from: Date; to: Date },
): Promise<PastEvent[]> =>
  db
    .select()
    .from(events)
    .where(
      and(
        or(
          ownerId === null ? sql`false` : eq(events.ownerId, ownerId),
          agentId === null ? sql`false` : and(eq(events.agentId, agentId), isNull(events.ownerId)),
        ),
        gte(events.createdAt, from),
        lte(events.createdAt, to),
        eq(events.subject, subject),
      ),
    )
    .orderBy(asc(events.createdAt), asc(events.id));
