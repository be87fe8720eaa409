import { and, asc, desc, eq, gte, inArray, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { AgentId, LinkId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import type { Place } from "@/lib/core/page";
import { batched } from "./batch";
import type { Db, Queryable } from "./db";
import { events } from "./tables";

export type Event = {
  type: string;
  subject: string;
  ownerId?: OwnerId | null;
  agentId?: AgentId | null;
  meta?: Record<string, unknown>;
};

/** Writes events in the transaction that makes them true. */
export async function record(db: Queryable, at: Date, ...happened: Event[]): Promise<void> {
  if (happened.length === 0) return;
  await db.insert(events).values(happened.map((event) => rowOf(at, event)));
}

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
const writers = new WeakMap<Db, Writer>();

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
    await db.$client.query({ name: "record_events", text: RECORD_ROWS, values: [JSON.stringify(rows)] });
    return rows.map(() => undefined);
  });

const RECORD_ROWS = `insert into events (id, type, subject, owner_id, agent_id, meta, created_at)
  select id, type, subject, "ownerId", "agentId", meta, "createdAt" from jsonb_to_recordset($1::jsonb)
  as row (id text, type text, subject text, "ownerId" text, "agentId" text, meta jsonb, "createdAt" timestamptz)`;

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

/**
 * What happened to one thing of an agent between two moments, oldest first. The span is what keeps it from reading all that
 * ever happened to the agent.
 */
export const listEventsOf = (
  db: Queryable,
  { agentId, subject, from, to }: { agentId: AgentId; subject: string; from: Date; to: Date },
): Promise<PastEvent[]> =>
  db
    .select()
    .from(events)
    .where(
      and(
        eq(events.agentId, agentId),
        isNull(events.ownerId),
        gte(events.createdAt, from),
        lte(events.createdAt, to),
        eq(events.subject, subject),
      ),
    )
    .orderBy(asc(events.createdAt), asc(events.id));
