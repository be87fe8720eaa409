import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { SettlementId } from "@/lib/core/ids";
import { address, hex, moment } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";

/** Payment identifiers that came with a claimed proof (x402 extension payment-identifier). */
export const paymentIdentifiers = pgTable(
  "payment_identifiers",
  {
    /** Ids are unique per payer, so that nobody can take the id of another client. */
    payer: address("payer").notNull(),
    /** SHA-256 of the id, because the id gives access to what was bought. */
    idHash: hex("id_hash").notNull(),
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .notNull()
      .unique()
      .references(() => settlements.id),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.payer, t.idHash] })],
);

/** Used challenges of buyers who signed in (x402 extension sign-in-with-x), until the challenge expires. */
export const buyerSignIns = pgTable(
  "buyer_sign_ins",
  {
    nonce: text("nonce").primaryKey(),
    expiresAt: moment("expires_at").notNull(),
  },
  (t) => [index("buyer_sign_ins_expiry").on(t.expiresAt)],
);
