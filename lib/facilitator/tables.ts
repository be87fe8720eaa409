import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import type { FacilitatorKeyId, OwnerId, SettlementId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { address, hex, moment } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";
import type { NetworkName } from "@/lib/x402/networks";

/** An API key with which a seller verifies and settles payments. Revoked keys stay, because payments refer to them. */
export const facilitatorKeys = pgTable(
  "facilitator_keys",
  {
    id: text("id").$type<FacilitatorKeyId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    name: text("name").notNull(),
    /** SHA-256 of the secret, in hexadecimal. The secret itself is not stored. */
    secretHash: text("secret_hash").notNull().unique("facilitator_keys_secret"),
    /** The first characters of the secret, by which its owner recognises it. */
    secretStart: text("secret_start").notNull(),
    requestsPerMinute: integer("requests_per_minute").notNull(),
    settlementsPerDay: integer("settlements_per_day").notNull(),
    /** Accurate to a minute. */
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("facilitator_keys_owner").on(t.ownerId, t.createdAt),
    check("facilitator_keys_limits", sql`requests_per_minute > 0 and settlements_per_day > 0`),
  ],
);

/** Requests of a key in the current window. Its settlements are counted from their own rows. */
export const facilitatorUsage = pgTable("facilitator_usage", {
  keyId: text("key_id")
    .$type<FacilitatorKeyId>()
    .primaryKey()
    .references(() => facilitatorKeys.id),
  startedAt: moment("started_at").notNull(),
  count: integer("count").notNull(),
});

/** A proof that /verify reported as valid to a seller. The row outlives the proof by an hour. */
export const facilitatorVerifications = pgTable(
  "facilitator_verifications",
  {
    keyId: text("key_id")
      .$type<FacilitatorKeyId>()
      .notNull()
      .references(() => facilitatorKeys.id),
    network: text("network").$type<NetworkName>().notNull(),
    payer: address("payer").notNull(),
    nonce: hex("nonce").notNull(),
    /** Number of accepted /verify requests that no successful /settle response has used up. */
    waiting: integer("waiting").notNull(),
    /** The observer's cursor when the proof was first sent to a node. */
    readTo: bigint("read_to", { mode: "bigint" }),
    expiresAt: moment("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.network, t.payer, t.nonce] }),
    index("facilitator_verifications_expiry").on(t.expiresAt),
    check("facilitator_verifications_waiting", sql`waiting >= 0`),
  ],
);

/** A settlement that a seller requested. Written in the transaction that claims its authorization. */
export const facilitatorPayments = pgTable(
  "facilitator_payments",
  {
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .primaryKey()
      .references(() => settlements.id),
    keyId: text("key_id")
      .$type<FacilitatorKeyId>()
      .notNull()
      .references(() => facilitatorKeys.id),
    /** The owner of the key. */
    ownerId: text("owner_id").$type<OwnerId>().notNull(),
    x402Version: smallint("x402_version").$type<1 | 2>().notNull(),
    /** When /settle first reported success; null before. From then on /verify refuses the proof. */
    answeredAt: moment("answered_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("facilitator_payments_owner").on(t.ownerId, t.createdAt, t.settlementId),
    index("facilitator_payments_key").on(t.keyId, t.createdAt, t.settlementId),
    check("facilitator_payments_version", sql`x402_version in (1, 2)`),
  ],
);
