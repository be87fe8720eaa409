import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { JWK } from "jose";
import { moment } from "@/lib/platform/columns";

/** RS256 keys. `activeFrom`, `retiredAt` and the clock determine whether a key is next, active or retired. */
export const signingKeys = pgTable("signing_keys", {
  kid: text("kid").primaryKey(),
  publicJwk: jsonb("public_jwk").$type<JWK>().notNull(),
  sealedKey: text("sealed_key").notNull(),
  publishedAt: moment("published_at").notNull(),
  activeFrom: moment("active_from").notNull(),
  /** When the following key took over; null while no successor is planned. */
  retiredAt: moment("retired_at"),
});
