import { and, asc, desc, eq, gte, inArray, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { AgentId, LinkId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import type { Place } from "@/lib/core/page";
import { batched } from "./batch";
import type { Db, Queryable, Tx } from "./db";
import { oncePerProcess } from "./once-per-process";
import { eventOutbox, events } from "./tables";

export type Event = {
  type: string;
  subject: string;
  ownerId?: OwnerId | null;
  agentId?: AgentId | null;
  meta?: Record<string, unknown>;
};

/** Writes events in the transaction that makes them true, for the owner to read and to be passed on. */
export async function record(db: Queryable, at: Date, ...happened: Event[]): Promise<void> {
  if (happened.length === 0) return;
  const rows = JSON.stringify(happened.map((event) => rowOf(at, event)));
  await db.execute(sql`${sql.raw(RECORD_ROWS.before)}${rows}${sql.raw(RECORD_ROWS.after)}`);
}

/** One statement, so that an event and its place in the outbox are never parted. */
const RECORD_ROWS = {
  before: `with written as (
    insert into events (id, type, subject, owner_id, agent_id, meta, created_at)
    select id, type, subject, "ownerId", "agentId", meta, "createdAt" from jsonb_to_recordset(`,
  after: `::jsonb)
    as row (id text, type text, subject text, "ownerId" text, "agentId" text, meta jsonb, "createdAt" timestamptz)
    returning id)
  insert into event_outbox (event_id) select id from written`,
};

const rowOf = (at: Date, { type, subject, ownerId, agentId, meta }: Event): typeof events.$inferInsert => ({
  id: newId("event"),
  type,
  subject,
  ownerId: ownerId ?? null,
  agentId: agentId ?? null,
  meta: meta ?? {},
  createdAt: at,
});

type Writer = (row: typeof events.$inferInsert) => Promise<void>;
const writers = oncePerProcess("events.writers", () => new WeakMap<Db, Writer>());

/**
 * Writes an event that is a transaction of its own, together with others that come at the same time. It is committed when
 * this resolves.
 */
export function recordSoon(db: Db, at: Date, event: Event): Promise<void> {
  const write = writers.get(db) ?? writer(db);
  writers.set(db, write);
  return write(rowOf(at, event));
}

const writer = (db: Db): Writer =>
  batched(async (rows) => {
    // One parameter however many rows there are: the statement is planned once, and not written out each time.
    const text = `${RECORD_ROWS.before}$1${RECORD_ROWS.after}`;
    await db.$client.query({ name: "record_events", text, values: [JSON.stringify(rows)] });
    return rows.map(() => undefined);
  });

/**
 * Takes up to `limit` of the events that nobody has passed on, the first written first; they are taken when `tx` commits, and
 * back when it does not. Those that another transaction is taking are left to it.
 */
export async function takeUnpassed(tx: Tx, limit: number): Promise<PastEvent[]> {
  // A CTE, which is read once: a subquery might be read again and take more.
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
  const taken = await tx
    .with(next)
    .delete(eventOutbox)
    .where(inArray(eventOutbox.position, tx.select().from(next)))
    .returning();
  if (taken.length === 0) return [];
  const places = new Map(taken.map(({ eventId, position }) => [eventId, position]));
  const rows = await tx
    .select()
    .from(events)
    .where(inArray(events.id, [...places.keys()]));
  return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

export type PastEvent = typeof events.$inferSelect;
export type EventFilter = {
  ownerId: OwnerId;
  /** The owner's agents: what is about one of them and names no owner is told too, as what it did before it had one. */
  agentIds: readonly AgentId[];
  agentId?: AgentId | undefined;
  /** First words of types, each for all of its kind: "mandate". */
  kinds?: readonly string[] | undefined;
  type?: string | undefined;
  /** Only what is about one link, itself or by its `meta`, which began at `since`: what is older need not be looked at. */
  about?: { link: LinkId; besides: readonly string[]; since: Date; except: string } | undefined;
  after?: Place | undefined;
  limit: number;
};

/**
 * Newest first. What names the owner and what names only one of the agents are read apart, each along an index of its own,
 * and merged: joined by an OR, all that ever happened would be sorted for every page.
 */
export function listEvents(db: Queryable, f: EventFilter): Promise<PastEvent[]> {
  const asked = and(
    f.kinds && inArray(sql`split_part(${events.type}, '.', 1)`, [...f.kinds]),
    f.type !== undefined ? eq(events.type, f.type) : undefined,
    f.about && isAboutLink(f.about),
    f.after &&
      sql`(${events.createdAt}, ${events.id}) < (${sql.param(f.after.at, events.createdAt)}, ${sql.param(f.after.id)})`,
  );
  const newest = (about: SQL | undefined) =>
    db
      .select()
      .from(events)
      .where(and(about, asked))
      .orderBy(...NEWEST_FIRST)
      .limit(f.limit);
  const own = newest(and(eq(events.ownerId, f.ownerId), f.agentId && eq(events.agentId, f.agentId)));
  const agentIds = f.agentIds.filter((id) => f.agentId === undefined || id === f.agentId);
  const ofAgent = newest(and(sql`${events.agentId} = agent.id`, isNull(events.ownerId))).as("of_agent");
  const { id, type, ownerId, agentId, subject, meta, createdAt } = ofAgent;
  const unowned = db
    .select({ id, type, ownerId, agentId, subject, meta, createdAt })
    .from(sql`unnest(${sql.param(agentIds)}::text[]) as agent(id)`)
    .crossJoinLateral(ofAgent);
  return unionAll(own, unowned)
    .orderBy(...NEWEST_FIRST)
    .limit(f.limit);
}

const isAboutLink = ({ link, besides, since, except }: NonNullable<EventFilter["about"]>) =>
  and(gte(events.createdAt, since), ne(events.type, except), inArray(events.subject, [link, ...besides]));

const NEWEST_FIRST = [desc(events.createdAt), desc(events.id)];

/** Whose event it is: an owner's, or an agent's that had no owner. */
type Whose = { agentId: AgentId | null; ownerId: OwnerId | null };

/**
 * What happened to one thing of an owner or an agent between two moments, oldest first. The span is what keeps it from reading
 * all that ever happened to them.
 */
export const listEventsOf = (
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
