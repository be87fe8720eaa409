import { and, asc, desc, eq, inArray, isNotNull, lt, lte, notInArray, or, sql } from "drizzle-orm";
import { agents } from "@/lib/agents/tables";
import type { AgentId, DeliveryId, OwnerId, WebhookId } from "@/lib/core/ids";
import type { Place } from "@/lib/core/page";
import type { Queryable, Tx } from "@/lib/platform/db";
import { eventOutbox, events } from "@/lib/platform/tables";
import type { Attempt, Delivery, Webhook } from "./store";
import type { DeliveryState } from "./tables";
import { webhookAttempts, webhookDeliveries, webhooks } from "./tables";

/** Whether there is anything to do at `at`: one small query, because nearly always there is not. */
export async function work(db: Queryable, at: Date): Promise<{ events: boolean; sends: boolean }> {
  const due = and(eq(webhookDeliveries.state, "waiting"), lte(webhookDeliveries.nextAttemptAt, at));
  const { rows } = await db.execute<{ events: boolean; sends: boolean }>(
    sql`select exists (select from ${eventOutbox}) as events,
      exists (select from ${webhookDeliveries} where ${due}) as sends`,
  );
  return rows[0] ?? { events: false, sends: false };
}

/**
 * When the oldest event was recorded that nobody has passed on, and since when the oldest delivery is due that is to go to a
 * receiver which took the last one; null for none.
 */
export async function oldest(db: Queryable, at: Date): Promise<{ event: Date | null; due: Date | null }> {
  const first = db.select({ id: eventOutbox.eventId }).from(eventOutbox).orderBy(asc(eventOutbox.position)).limit(1);
  const [event] = await db.select({ at: events.createdAt }).from(events).where(inArray(events.id, first));
  const [due] = await db
    .select({ at: webhookDeliveries.nextAttemptAt })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(eq(webhookDeliveries.state, "waiting"), lte(webhookDeliveries.nextAttemptAt, at), sql`not (${isFailing})`),
    )
    .orderBy(asc(webhookDeliveries.nextAttemptAt))
    .limit(1);
  return { event: event?.at ?? null, due: due?.at ?? null };
}

/** Whether the last attempt at a webhook failed, or took too long. */
const isFailing = sql<boolean>`${webhooks.isSlow} or ${webhooks.failedAt} is not null and ${webhooks.failedAt} >= coalesce(${webhooks.succeededAt}, ${webhooks.failedAt})`;

export async function ownersOf(tx: Tx, agentIds: readonly AgentId[]): Promise<Map<AgentId, OwnerId>> {
  const rows = await tx
    .select({ id: agents.id, ownerId: agents.ownerId })
    .from(agents)
    .where(inArray(agents.id, [...agentIds]));
  return new Map(rows.flatMap(({ id, ownerId }) => (ownerId ? [[id, ownerId] as const] : [])));
}

/** What is switched on of these owners, and is not switched off before `tx` ends. */
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

// Sending

export type Due = {
  id: DeliveryId;
  webhook: { id: WebhookId; receiver: string; isFailing: boolean; isVerified: boolean };
};
/** Receivers that have no room for any send, and none for one that is failing; and what has none wherever it goes. */
export type Full = {
  any: readonly string[];
  failing: readonly string[];
  closedTo: { failing: boolean; unverified: boolean };
};

/**
 * What is to be sent at `at` to receivers that are not `full`, held for the rest of `tx`; what another process holds is left to it. The
 * longest due come first.
 */
export const holdDue = (tx: Tx, at: Date, full: Full, limit: number): Promise<Due[]> =>
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
        lte(webhookDeliveries.nextAttemptAt, at),
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

/** Leaves a delivery alone until `until`. */
export async function postpone(tx: Tx, id: DeliveryId, until: Date): Promise<void> {
  await tx.update(webhookDeliveries).set({ nextAttemptAt: until }).where(eq(webhookDeliveries.id, id));
}

/** Writes that an attempt of each is about to be made; until `until` it is nobody else's. */
export async function begin(tx: Tx, ids: readonly DeliveryId[], at: Date, until: Date): Promise<Delivery[]> {
  const begun = await tx
    .update(webhookDeliveries)
    .set({
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      tries: sql`${webhookDeliveries.tries} + 1`,
      triedSince: sql`coalesce(${webhookDeliveries.triedSince}, ${sql.param(at, webhookDeliveries.triedSince)})`,
      nextAttemptAt: until,
    })
    .where(inArray(webhookDeliveries.id, [...ids]))
    .returning();
  await tx
    .insert(webhookAttempts)
    .values(begun.map(({ id, attempts }) => ({ deliveryId: id, number: attempts, startedAt: at })));
  return begun;
}

export const listByIds = (db: Queryable, ids: readonly WebhookId[]): Promise<Webhook[]> =>
  db
    .select()
    .from(webhooks)
    .where(inArray(webhooks.id, [...ids]));

export type AttemptEnd = Pick<Attempt, "durationMs" | "status" | "reply" | "failure">;

/** How an attempt ended. False when a later one has been begun since, which decides on the delivery. */
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

/** Moves all deliveries of a webhook from one state to another, as it is switched off or on. */
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

// Looking back

/** A delivery with every attempt at it, the first one first. */
export type LoggedDelivery = { delivery: Delivery; attempts: Attempt[] };

/** Newest first. */
export async function listDeliveries(
  db: Queryable,
  {
    webhookId,
    state,
    after,
    limit,
  }: { webhookId: WebhookId; state?: DeliveryState | undefined; after?: Place | undefined; limit: number },
): Promise<LoggedDelivery[]> {
  const { id, createdAt } = webhookDeliveries;
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        state && eq(webhookDeliveries.state, state),
        after && sql`(${createdAt}, ${id}) < (${sql.param(after.at, createdAt)}, ${sql.param(after.id)})`,
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
  const [found] = await withAttempts(
    db,
    rows.map(({ delivery }) => delivery),
  );
  return found ?? null;
}

async function withAttempts(db: Queryable, rows: readonly Delivery[]): Promise<LoggedDelivery[]> {
  const ids = rows.map(({ id }) => id);
  const made = await db
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, ids))
    .orderBy(asc(webhookAttempts.number));
  return rows.map((delivery) => ({ delivery, attempts: made.filter(({ deliveryId }) => deliveryId === delivery.id) }));
}

/** Locked after its webhook, like everywhere. */
export async function lockDelivery(tx: Tx, id: DeliveryId): Promise<LoggedDelivery | null> {
  const rows = await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)).for("update");
  const [found] = await withAttempts(tx, rows);
  return found ?? null;
}

/** Sends it again, with the retries of a new one. */
export async function restart(tx: Tx, id: DeliveryId, at: Date): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: "waiting", nextAttemptAt: at, triedSince: null, tries: 0 })
    .where(eq(webhookDeliveries.id, id));
}

/** Forgets up to `limit` deliveries from before `before`; returns how many. */
export async function forget(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(lt(webhookDeliveries.createdAt, before))
    .limit(limit);
  const gone = await db
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, old))
    .returning({ id: webhookDeliveries.id });
  return gone.length;
}
