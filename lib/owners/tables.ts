import { index, pgTable, text } from "drizzle-orm/pg-core";
import type { OwnerId, SessionId } from "@/lib/core/ids";
import { address, moment } from "@/lib/platform/columns";

/** A person, known by the Ethereum account they sign in with. */
export const owners = pgTable("owners", {
  id: text("id").$type<OwnerId>().primaryKey(),
  address: address("address").notNull().unique("owners_address"),
  createdAt: moment("created_at").notNull(),
  lastSignInAt: moment("last_sign_in_at").notNull(),
});

/** EIP-4361 nonces we handed out; a row is deleted by the sign-in that uses it. */
export const siweNonces = pgTable("siwe_nonces", {
  nonce: text("nonce").primaryKey(),
  expiresAt: moment("expires_at").notNull(),
});

/** A browser in which an owner is signed in. Its id is in next-auth's cookie; the row decides whether it has ended. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").$type<SessionId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    createdAt: moment("created_at").notNull(),
    /** To the minute. */
    lastSeenAt: moment("last_seen_at").notNull(),
    /** When it ends however often it is used. */
    expiresAt: moment("expires_at").notNull(),
    /** The browser's own words. Hostile: shown only as what `deviceOf` makes of them. */
    userAgent: text("user_agent").notNull(),
    revokedAt: moment("revoked_at"),
  },
  (t) => [index("sessions_owner").on(t.ownerId, t.lastSeenAt)],
);
