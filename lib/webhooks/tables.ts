import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import type { DeliveryId, EventId, OwnerId, WebhookId, WebhookSecretId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { moment } from "@/lib/platform/columns";
import type { PublicType } from "./catalogue";
import type { DeliveryFailure, DeliveryState, DisabledBy } from "./states";

/** A URL that receives an owner's events. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: text("id").$type<WebhookId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    url: text("url").notNull(),
    /** `receiverOf(url)`: the host that rate limits count. */
    receiver: text("receiver").notNull(),
    /** When the receiver at this URL returned the challenge; null before. */
    verifiedAt: moment("verified_at"),
    description: text("description").notNull(),
    /** null: all types, including future ones. */
    eventTypes: text("event_types").array().$type<PublicType[]>(),
    isEnabled: boolean("is_enabled").notNull(),
    disabledBy: text("disabled_by").$type<DisabledBy>(),
    enabledAt: moment("enabled_at").notNull(),
    /** The last attempt took too long. */
    isSlow: boolean("is_slow").notNull().default(false),
    succeededAt: moment("succeeded_at"),
    failedAt: moment("failed_at"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (t) => [
    index("webhooks_owner").on(t.ownerId, t.createdAt),
    check("webhooks_disabled_by", sql`disabled_by is null or not is_enabled`),
  ],
);

/** Signing secrets: the newest one, and the previous one until it expires. */
export const webhookSecrets = pgTable(
  "webhook_secrets",
  {
    id: text("id").$type<WebhookSecretId>().primaryKey(),
    webhookId: text("webhook_id")
      .$type<WebhookId>()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    sealedKey: text("sealed_key").notNull(),
    createdAt: moment("created_at").notNull(),
    /** null for the newest. */
    expiresAt: moment("expires_at"),
  },
  (t) => [index("webhook_secrets_webhook").on(t.webhookId)],
);

/** One event for one webhook. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").$type<DeliveryId>().primaryKey(),
    webhookId: text("webhook_id")
      .$type<WebhookId>()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** The `webhook-id` header of every attempt. Tests and verifications have a fresh id without a recorded event. */
    eventId: text("event_id").$type<EventId>().notNull(),
    type: text("type").$type<PublicType>().notNull(),
    /** The bytes that are signed and sent, the same on every attempt. */
    body: text("body").notNull(),
    state: text("state").$type<DeliveryState>().notNull(),
    /** Number of attempts started. The result of an attempt is recorded under its number. */
    attempts: integer("attempts").notNull().default(0),
    /** When the current series of retries started: at the first attempt, or the first after the last replay. */
    triedSince: moment("tried_since"),
    /** Number of attempts in the current series. */
    tries: integer("tries").notNull().default(0),
    /** During an attempt: when its process is presumed dead. */
    nextAttemptAt: moment("next_attempt_at").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    unique("webhook_deliveries_once").on(t.webhookId, t.eventId),
    index("webhook_deliveries_list").on(t.webhookId, t.createdAt, t.id),
    index("webhook_deliveries_due").on(t.nextAttemptAt).where(sql`state = 'waiting'`),
    index("webhook_deliveries_age").on(t.createdAt),
  ],
);

/** One attempt to send a delivery: inserted before sending and completed afterwards. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    deliveryId: text("delivery_id")
      .$type<DeliveryId>()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    startedAt: moment("started_at").notNull(),
    /** null while the attempt is in progress, and permanently if the process died; it may have arrived. */
    durationMs: integer("duration_ms"),
    status: integer("status"),
    /** The beginning of the response body. */
    reply: text("reply"),
    failure: text("failure").$type<DeliveryFailure>(),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.number] })],
);
