import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import type { DeliveryId, EventId, OwnerId, WebhookId, WebhookSecretId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { moment } from "@/lib/platform/columns";
import type { PublicType } from "./catalogue";
import type { Failure } from "./rules";

/** Why a webhook is off when its owner did not switch it off: it answered 410, or failed for as long as we try. */
export type DisabledBy = "gone" | "failing";
/** `paused`: its webhook is off. `failed`: it is not tried again, unless somebody replays it. */
export type DeliveryState = "waiting" | "paused" | "delivered" | "failed";

/** Where an owner wants to be told of events. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: text("id").$type<WebhookId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    url: text("url").notNull(),
    /** `receiverOf` the url: whom limits are counted for. */
    receiver: text("receiver").notNull(),
    /** When the receiver at this url repeated a challenge; null until it does. */
    verifiedAt: moment("verified_at"),
    description: text("description").notNull(),
    /** null: all types, those to come as well. */
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

/** What deliveries are signed with: the newest one, and until it expires the one before. */
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
    /** The `webhook-id` header of every attempt. A test has one of its own, which names no recorded event. */
    eventId: text("event_id").$type<EventId>().notNull(),
    type: text("type").$type<PublicType>().notNull(),
    /** The bytes that are signed and sent, the same each time. */
    body: text("body").notNull(),
    state: text("state").$type<DeliveryState>().notNull(),
    /** How often it was begun to be sent. Whoever writes how an attempt ended names it by this number. */
    attempts: integer("attempts").notNull().default(0),
    /** When the attempts that are counted for giving up began: at first, or since the last replay. */
    triedSince: moment("tried_since"),
    /** Of these, how many there were. */
    tries: integer("tries").notNull().default(0),
    /** While one is under way: when we believe that whoever made it is gone. */
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

/** Each time something was sent: written before it is, and completed afterwards. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    deliveryId: text("delivery_id")
      .$type<DeliveryId>()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    startedAt: moment("started_at").notNull(),
    /** null while it is under way, and for ever when the process ended first: then nobody knows whether it arrived. */
    durationMs: integer("duration_ms"),
    status: integer("status"),
    /** The beginning of what came back. */
    reply: text("reply"),
    failure: text("failure").$type<Failure>(),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.number] })],
);
