import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
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
    await db.insert(events).values([...rows]);
    return rows.map(() => undefined);
  });

export type PastEvent = typeof events.$inferSelect;
export type EventFilter = {
  ownerId: OwnerId;
  /** The owner's agents: what is about one of them is told although it names no owner. */
  agentIds: AgentId[];
  agentId?: AgentId | undefined;
  /** First words of types, each for all of its kind: "mandate". */
  kinds?: readonly string[] | undefined;
  before?: Date | undefined;
  limit: number;
};

/** Newest first. */
export const listEvents = (db: Queryable, f: EventFilter): Promise<PastEvent[]> =>
  db
    .select()
    .from(events)
    .where(
      and(
        or(eq(events.ownerId, f.ownerId), inArray(events.agentId, f.agentIds)),
        f.agentId && eq(events.agentId, f.agentId),
        f.kinds && inArray(sql`split_part(${events.type}, '.', 1)`, [...f.kinds]),
        f.before && lt(events.createdAt, f.before),
      ),
    )
    .orderBy(desc(events.createdAt), desc(events.id))
    .limit(f.limit);
