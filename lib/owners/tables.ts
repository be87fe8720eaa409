import { boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import type { OwnerId, SessionId } from "@/lib/core/ids";
import { address, moment } from "@/lib/platform/columns";

/** A person, identified by the Ethereum account they sign in with. Why: docs/decisions.md, 341. */
export const owners = pgTable("owners", {
  id: text("id").$type<OwnerId>().primaryKey(),
  address: address("address").notNull().unique("owners_address"),
  createdAt: moment("created_at").notNull(),
  lastSignInAt: moment("last_sign_in_at").notNull(),
  /** The allow list is on: the owner's agents pay only what is on it. */
  paysOnlyListed: boolean("pays_only_listed").notNull().default(false),
});

/** Issued EIP-4361 nonces. The sign-in that uses one deletes its row. */
export const siweNonces = pgTable("siwe_nonces", {
  nonce: text("nonce").primaryKey(),
  expiresAt: moment("expires_at").notNull(),
});

/** A browser in which an owner is signed in. Its id is in next-auth's cookie; this row decides whether it has ended. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").$type<SessionId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    createdAt: moment("created_at").notNull(),
    /** Accurate to the minute. */
    lastSeenAt: moment("last_seen_at").notNull(),
    /** When it ends regardless of use. */
    expiresAt: moment("expires_at").notNull(),
    /** The User-Agent as sent. Hostile: only the result of `deviceOf` is shown. */
    userAgent: text("user_agent").notNull(),
    revokedAt: moment("revoked_at"),
  },
  (t) => [index("sessions_owner").on(t.ownerId, t.lastSeenAt)],
);
