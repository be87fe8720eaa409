import { pgTable, text } from "drizzle-orm/pg-core";
import type { OwnerId } from "@/lib/core/ids";
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
