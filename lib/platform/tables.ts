import { isNotNull, isNull } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, varchar } from "drizzle-orm/pg-core";
import { moment } from "./columns";

/** Who may do a job that must have one worker. `fence` grows with each holder, so that a slow old one is told apart. */
export const leases = pgTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  fence: bigint("fence", { mode: "number" }).notNull(),
  expiresAt: moment("expires_at").notNull(),
  /** When a round of it last ended without an error, within some seconds. */
  workedAt: moment("worked_at"),
});

/** What happened, for the people it happened to: written in the transaction that made it true. */
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
  // In the order of `listEvents`, so that a page is read and not sorted.
  (t) => [
    index("events_owner").on(t.ownerId, t.createdAt, t.id),
    index("events_owner_agent").on(t.ownerId, t.agentId, t.createdAt, t.id).where(isNotNull(t.ownerId)),
    index("events_unowned").on(t.agentId, t.createdAt, t.id).where(isNull(t.ownerId)),
  ],
);

/**
 * Events that nobody has passed on yet, in the order in which they were written. A row comes with its event's transaction and
 * goes with that of whoever passed it on, so that none is missed however late it is committed, and none is taken twice.
 */
export const eventOutbox = pgTable("event_outbox", {
  position: bigint("position", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  // No foreign key to check for each of them: one statement writes both, and events stay.
  eventId: text("event_id").notNull(),
});

export const RATE_LIMITS_TABLE = "rate_limits";

/** Turns taken in the window that ends at `expire` (Unix milliseconds), a row for each limit and key. The columns are rate-limiter-flexible's. */
export const rateLimits = pgTable(RATE_LIMITS_TABLE, {
  key: varchar("key", { length: 255 }).primaryKey(),
  points: integer("points").notNull().default(0),
  expire: bigint("expire", { mode: "number" }),
});

/**
 * Requests that came with an Idempotency-Key, and their answers. A row without an answer is being answered, or its answer was
 * lost with the process. Answers may hold proofs and tokens, and are sealed.
 */
export const idempotentRequests = pgTable(
  "idempotent_requests",
  {
    /** Whose key it is: keys of different callers never meet. */
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

/** Secrets of the service itself, drawn at first use and sealed under the master key. */
export const serviceSecrets = pgTable("service_secrets", {
  name: text("name").primaryKey(),
  sealedKey: text("sealed_key").notNull(),
  createdAt: moment("created_at").notNull(),
});
