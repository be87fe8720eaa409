import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { JWK } from "jose";
import { moment } from "@/lib/platform/columns";

/** RS256 keys. Which of next, active and retired a key is follows from these times and the clock. */
export const signingKeys = pgTable("signing_keys", {
  kid: text("kid").primaryKey(),
  publicJwk: jsonb("public_jwk").$type<JWK>().notNull(),
  sealedKey: text("sealed_key").notNull(),
  publishedAt: moment("published_at").notNull(),
  activeFrom: moment("active_from").notNull(),
  /** When the following key took over; null while no successor is planned. */
  retiredAt: moment("retired_at"),
});
