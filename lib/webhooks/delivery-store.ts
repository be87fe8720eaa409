import { and, asc, desc, eq, inArray, isNotNull, lt, lte, notInArray, or, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { AgentId, DeliveryId, OwnerId, WebhookId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import type { Queryable, Tx } from "@/lib/platform/db";
import { eventOutbox, events } from "@/lib/platform/tables";
import type { DeliveryState } from "./states";
import type { Delivery, DeliveryAttempt, Webhook } from "./store";
import { webhookAttempts, webhookDeliveries, webhooks } from "./tables";

/** Whether there is work at `time`. One cheap query, because there is usually none. */
export async function work(db: Queryable, time: Date): Promise<{ events: boolean; sends: boolean }> {
  const due = and(eq(webhookDeliveries.state, "waiting"), lte(webhookDeliveries.nextAttemptAt, time));
  const { rows } = await db.execute<{ events: boolean; sends: boolean }>(
    sql`select exists (select from ${eventOutbox}) as events,
      exists (select from ${webhookDeliveries} where ${due}) as sends`,
  );
  return rows[0] ?? { events: false, sends: false };
}

/**
 * `event`: when the oldest event without deliveries was recorded. `due`: since when the oldest delivery to a healthy webhook is
 * due. null if there is none.
 */
export async function oldest(db: Queryable, time: Date): Promise<{ event: Date | null; due: Date | null }> {
  const first = db.select({ id: eventOutbox.eventId }).from(eventOutbox).orderBy(asc(eventOutbox.position)).limit(1);
  const [event] = await db.select({ at: events.createdAt }).from(events).where(inArray(events.id, first));
  const [due] = await db
    .select({ at: webhookDeliveries.nextAttemptAt })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(eq(webhookDeliveries.state, "waiting"), lte(webhookDeliveries.nextAttemptAt, time), sql`not (${isFailing})`),
    )
    .orderBy(asc(webhookDeliveries.nextAttemptAt))
    .limit(1);
  return { event: event?.at ?? null, due: due?.at ?? null };
}

/** Counts waiting events and due deliveries, up to `max` each: counting a large backlog in full would be slow. */
export async function waiting(db: Queryable, time: Date, max: number): Promise<{ events: number; due: number }> {
  const isDue = and(eq(webhookDeliveries.state, "waiting"), lte(webhookDeliveries.nextAttemptAt, time));
  const { rows } = await db.execute<{ events: number; due: number }>(
    sql`select (select count(*)::int from (select from ${eventOutbox} limit ${max}) as e) as events,
      (select count(*)::int from (select from ${webhookDeliveries} where ${isDue} limit ${max}) as d) as due`,
  );
  return rows[0] ?? { events: 0, due: 0 };
}

/** Whether a webhook's last attempt failed or took too long. */
const isFailing = sql<boolean>`${webhooks.isSlow} or ${webhooks.failedAt} is not null and ${webhooks.failedAt} >= coalesce(${webhooks.succeededAt}, ${webhooks.failedAt})`;

export async function ownersOf(tx: Tx, agentIds: readonly AgentId[]): Promise<Map<AgentId, OwnerId>> {
  const rows = await tx
    .select({ id: agents.id, ownerId: agents.ownerId })
    .from(agents)
    .where(inArray(agents.id, [...agentIds]));
  return new Map(rows.flatMap(({ id, ownerId }) => (ownerId ? [[id, ownerId] as const] : [])));
}

/** The enabled webhooks of these owners, locked against disabling until `tx` ends. */
export const holdEnabled = (tx: Tx, ownerIds: readonly OwnerId[]): Promise<Webhook[]> =>
  tx
    .select()
    .from(webhooks)
    .where(and(inArray(webhooks.ownerId, [...ownerIds]), webhooks.isEnabled))
    .orderBy(webhooks.id)
    .for("share");

export async function addDeliveries(tx: Tx, rows: (typeof webhookDeliveries.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(webhookDeliveries).values(rows).onConflictDoNothing();
}

export type Due = {
  id: DeliveryId;
  webhook: { id: WebhookId; receiver: string; isFailing: boolean; isVerified: boolean };
};
/**
 * Receivers without a free slot, for any webhook (`any`) or for a failing one (`failing`), and the global limits that are reached
 * (`closedTo`).
 */
export type Full = {
  any: readonly string[];
  failing: readonly string[];
  closedTo: { failing: boolean; unverified: boolean };
};

/**
 * Deliveries due at `time`, longest due first, locked until `tx` ends. Skips receivers in `full` and rows that another process has
 * locked.
 */
export const holdDue = (tx: Tx, time: Date, full: Full, limit: number): Promise<Due[]> =>
  tx
    .select({
      id: webhookDeliveries.id,
      webhook: {
        id: webhookDeliveries.webhookId,
        receiver: webhooks.receiver,
        isFailing,
        isVerified: sql<boolean>`${webhooks.verifiedAt} is not null`,
      },
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(
        eq(webhookDeliveries.state, "waiting"),
        lte(webhookDeliveries.nextAttemptAt, time),
        full.any.length > 0 ? notInArray(webhooks.receiver, [...full.any]) : undefined,
        full.failing.length > 0
          ? or(notInArray(webhooks.receiver, [...full.failing]), sql`not (${isFailing})`)
          : undefined,
        full.closedTo.failing ? sql`not (${isFailing})` : undefined,
        full.closedTo.unverified ? isNotNull(webhooks.verifiedAt) : undefined,
      ),
    )
    .orderBy(asc(webhookDeliveries.nextAttemptAt))
    .limit(limit)
    .for("update", { of: webhookDeliveries, skipLocked: true });

export async function postpone(tx: Tx, id: DeliveryId, until: Date): Promise<void> {
  await tx.update(webhookDeliveries).set({ nextAttemptAt: until }).where(eq(webhookDeliveries.id, id));
}

/** Records the start of an attempt for each; no other process sends them before `until`. */
export async function begin(tx: Tx, ids: readonly DeliveryId[], time: Date, until: Date): Promise<Delivery[]> {
  const begun = await tx
    .update(webhookDeliveries)
    .set({
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      tries: sql`${webhookDeliveries.tries} + 1`,
      triedSince: sql`coalesce(${webhookDeliveries.triedSince}, ${sql.param(time, webhookDeliveries.triedSince)})`,
      nextAttemptAt: until,
    })
    .where(inArray(webhookDeliveries.id, [...ids]))
    .returning();
  await tx
    .insert(webhookAttempts)
    .values(begun.map(({ id, attempts }) => ({ deliveryId: id, number: attempts, startedAt: time })));
  return begun;
}

export const listByIds = (db: Queryable, ids: readonly WebhookId[]): Promise<Webhook[]> =>
  db
    .select()
    .from(webhooks)
    .where(inArray(webhooks.id, [...ids]));

export type AttemptEnd = Pick<DeliveryAttempt, "durationMs" | "status" | "reply" | "failure">;

/** Records the end of an attempt. False when a later attempt has started, which then decides the delivery's state. */
export async function end(
  tx: Tx,
  { id, number }: { id: DeliveryId; number: number },
  attempt: AttemptEnd,
  set: { state: DeliveryState; nextAttemptAt?: Date },
): Promise<boolean> {
  await tx
    .update(webhookAttempts)
    .set(attempt)
    .where(and(eq(webhookAttempts.deliveryId, id), eq(webhookAttempts.number, number)));
  const ended = await tx
    .update(webhookDeliveries)
    .set(set)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, number)))
    .returning({ id: webhookDeliveries.id });
  return ended.length > 0;
}

/** Moves all deliveries of a webhook from one state to another, when it is disabled or enabled. */
export async function moveAll(
  tx: Tx,
  webhookId: WebhookId,
  { from, to }: { from: DeliveryState; to: DeliveryState },
): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: to })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, from)));
}

/** A delivery with all of its attempts, oldest first. */
export type LoggedDelivery = { delivery: Delivery; attempts: DeliveryAttempt[] };

/** Newest first. */
export async function listDeliveries(
  db: Queryable,
  {
    webhookId,
    state,
    after: cursor,
    limit,
  }: { webhookId: WebhookId; state?: DeliveryState | undefined; after?: Cursor | undefined; limit: number },
): Promise<LoggedDelivery[]> {
  const { id, createdAt } = webhookDeliveries;
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        state && eq(webhookDeliveries.state, state),
        cursor && sql`(${createdAt}, ${id}) < (${sql.param(cursor.time, createdAt)}, ${sql.param(cursor.id)})`,
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
  return withAttempts(db, rows);
}

export async function findDelivery(db: Queryable, ownerId: OwnerId, id: DeliveryId): Promise<LoggedDelivery | null> {
  const rows = await db
    .select({ delivery: webhookDeliveries })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhooks.ownerId, ownerId)));
  const [loggedDelivery] = await withAttempts(
    db,
    rows.map(({ delivery }) => delivery),
  );
  return loggedDelivery ?? null;
}

async function withAttempts(db: Queryable, rows: readonly Delivery[]): Promise<LoggedDelivery[]> {
  const ids = rows.map(({ id }) => id);
  const attemptRows = await db
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, ids))
    .orderBy(asc(webhookAttempts.number));
  return rows.map((delivery) => ({
    delivery,
    attempts: attemptRows.filter(({ deliveryId }) => deliveryId === delivery.id),
  }));
}

/** Lock order: the webhook first, then its deliveries. */
export async function lockDelivery(tx: Tx, id: DeliveryId): Promise<LoggedDelivery | null> {
  const rows = await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)).for("update");
  const [loggedDelivery] = await withAttempts(tx, rows);
  return loggedDelivery ?? null;
}

/** Queues the delivery with a new series of retries. */
export async function restart(tx: Tx, id: DeliveryId, time: Date): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: "waiting", nextAttemptAt: time, triedSince: null, tries: 0 })
    .where(eq(webhookDeliveries.id, id));
}

/** Deletes up to `limit` deliveries created before `cutoff`; returns their number. */
export async function forget(db: Queryable, cutoff: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(lt(webhookDeliveries.createdAt, cutoff))
    .limit(limit);
  const deletedRows = await db
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, old))
    .returning({ id: webhookDeliveries.id });
  return deletedRows.length;
}
