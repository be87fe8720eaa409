import { isNotNull, isNull } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, varchar } from "drizzle-orm/pg-core";
import { moment } from "./columns";

/** Which process may do a job that must have only one worker. `fence` grows with each holder and exposes a slow former one. */
export const leases = pgTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  fence: bigint("fence", { mode: "number" }).notNull(),
  expiresAt: moment("expires_at").notNull(),
  /** When a round last ended without an error, accurate to a few seconds. */
  workedAt: moment("worked_at"),
});

/** The history that owners can read. An event is written in the transaction that makes it true. */
export const events = pgTable(
  "events",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    ownerId: text("owner_id"),
    agentId: text("agent_id"),
    subject: text("subject").notNull(),
    meta: jsonb("meta").$type<Record<string, unknown>>().notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  // In the order of `listEvents`: a page is read from the index without sorting.
  (t) => [
    index("events_owner").on(t.ownerId, t.createdAt, t.id),
    index("events_owner_agent").on(t.ownerId, t.agentId, t.createdAt, t.id).where(isNotNull(t.ownerId)),
    index("events_unowned").on(t.agentId, t.createdAt, t.id).where(isNull(t.ownerId)),
    index("events_age").on(t.createdAt),
  ],
);

/**
 * Events to be delivered, in the order in which they were written. A row is inserted with its event's transaction and
 * deleted with the transaction that takes it over for delivery: no event is missed, however late it commits, and none is
 * taken twice.
 */
export const eventOutbox = pgTable("event_outbox", {
  position: bigint("position", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  // Without a foreign key: one statement writes both rows, and an event is not deleted while it is here.
  eventId: text("event_id").notNull(),
});

export const RATE_LIMITS_TABLE = "rate_limits";

/** Turns used in the window that ends at `expire` (Unix milliseconds), one row per limit and key. The columns are those of rate-limiter-flexible. */
export const rateLimits = pgTable(
  RATE_LIMITS_TABLE,
  {
    key: varchar("key", { length: 255 }).primaryKey(),
    points: integer("points").notNull().default(0),
    expire: bigint("expire", { mode: "number" }),
  },
  (t) => [index("rate_limits_age").on(t.expire)],
);

/**
 * Requests with an Idempotency-Key, and their responses. A row without a response is in progress, or its response was lost
 * with the process. Responses may contain proofs and tokens, so they are sealed.
 */
export const idempotentRequests = pgTable(
  "idempotent_requests",
  {
    /** The owner or agent that sent the key: keys of different callers are independent. */
    scope: text("scope").notNull(),
    keyHash: text("key_hash").notNull(),
    requestHash: text("request_hash").notNull(),
    status: integer("status"),
    headers: jsonb("headers").$type<Record<string, string>>(),
    sealedBody: text("sealed_body"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.keyHash] }), index("idempotent_requests_age").on(t.createdAt)],
);

/** Secrets of the service itself, generated at first use and sealed under the master key. */
export const serviceSecrets = pgTable("service_secrets", {
  name: text("name").primaryKey(),
  sealedKey: text("sealed_key").notNull(),
  createdAt: moment("created_at").notNull(),
});
