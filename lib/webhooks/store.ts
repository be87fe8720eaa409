import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, or } from "drizzle-orm";
import type { OwnerId, WebhookId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { type webhookAttempts, type webhookDeliveries, webhookSecrets, webhooks } from "./tables";

export type Webhook = typeof webhooks.$inferSelect;
export type WebhookChange = Partial<Omit<typeof webhooks.$inferInsert, "id" | "ownerId">>;
export type WebhookSecret = typeof webhookSecrets.$inferSelect;
export type Delivery = typeof webhookDeliveries.$inferSelect;
export type DeliveryAttempt = typeof webhookAttempts.$inferSelect;

export const list = (db: Queryable, ownerId: OwnerId): Promise<Webhook[]> =>
  db.select().from(webhooks).where(eq(webhooks.ownerId, ownerId)).orderBy(asc(webhooks.createdAt), asc(webhooks.id));

const isOwn = (ownerId: OwnerId, id: WebhookId) => and(eq(webhooks.id, id), eq(webhooks.ownerId, ownerId));

export async function find(db: Queryable, ownerId: OwnerId, id: WebhookId): Promise<Webhook | null> {
  const [row] = await db.select().from(webhooks).where(isOwn(ownerId, id));
  return row ?? null;
}

/** Locks the owner's webhook until `tx` ends. */
export async function lockOwn(tx: Tx, ownerId: OwnerId, id: WebhookId): Promise<Webhook | null> {
  const [row] = await tx.select().from(webhooks).where(isOwn(ownerId, id)).for("update");
  return row ?? null;
}

export async function lock(tx: Tx, id: WebhookId): Promise<Webhook | null> {
  const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for("update");
  return row ?? null;
}

/** Number of the owner's webhooks; no one can add one until `tx` ends. */
export async function lockCount(tx: Tx, ownerId: OwnerId): Promise<number> {
  await tx.select({ id: owners.id }).from(owners).where(eq(owners.id, ownerId)).for("no key update");
  const [row] = await tx.select({ count: count() }).from(webhooks).where(eq(webhooks.ownerId, ownerId));
  return row?.count ?? 0;
}

/** Whether the owner already has a webhook at this host (`receiverOf`). If so, another one there needs no signature. */
export async function hasReceiver(db: Queryable, ownerId: OwnerId, receiver: string): Promise<boolean> {
  const [row] = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.ownerId, ownerId), eq(webhooks.receiver, receiver)))
    .limit(1);
  return row !== undefined;
}

export async function add(tx: Tx, row: typeof webhooks.$inferInsert): Promise<Webhook> {
  const [added] = await tx.insert(webhooks).values(row).returning();
  if (!added) throw new Error(`${row.id} was not added`);
  return added;
}

export async function change(tx: Tx, id: WebhookId, set: WebhookChange): Promise<Webhook> {
  const [changed] = await tx.update(webhooks).set(set).where(eq(webhooks.id, id)).returning();
  if (!changed) throw new Error(`${id} was not locked`);
  return changed;
}

/** Also deletes its secrets, deliveries and attempts (cascade). */
export async function remove(tx: Tx, id: WebhookId): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.id, id));
}

export async function addSecret(tx: Tx, row: typeof webhookSecrets.$inferInsert): Promise<void> {
  await tx.insert(webhookSecrets).values(row);
}

/** Lets the newest secret expire at `until` and deletes older ones. */
export async function retireSecrets(tx: Tx, webhookId: WebhookId, until: Date): Promise<void> {
  const ofWebhook = eq(webhookSecrets.webhookId, webhookId);
  await tx.delete(webhookSecrets).where(and(ofWebhook, isNotNull(webhookSecrets.expiresAt)));
  await tx.update(webhookSecrets).set({ expiresAt: until }).where(ofWebhook);
}

/** The secrets that are valid at `time`, newest first. */
export const listSecrets = (db: Queryable, webhookIds: readonly WebhookId[], time: Date): Promise<WebhookSecret[]> =>
  db
    .select()
    .from(webhookSecrets)
    .where(
      and(
        inArray(webhookSecrets.webhookId, [...webhookIds]),
        or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, time)),
      ),
    )
    .orderBy(desc(webhookSecrets.createdAt), desc(webhookSecrets.id));
