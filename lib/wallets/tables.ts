import { sql } from "drizzle-orm";
import { pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { OwnerId, WalletId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { address, moment } from "@/lib/platform/columns";
import type { NetworkName } from "@/lib/x402/networks";

/** An address whose key the service holds for an owner. */
export const wallets = pgTable(
  "wallets",
  {
    id: text("id").$type<WalletId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    network: text("network").$type<NetworkName>().notNull(),
    /** `spending` is the owner's own wallet. Reserved for later: a separate wallet per mandate that holds no more than its limit. */
    purpose: text("purpose").$type<"spending">().notNull(),
    address: address("address").notNull().unique("wallets_address"),
    sealedKey: text("sealed_key").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [uniqueIndex("wallets_one_spending").on(t.ownerId, t.network).where(sql`purpose = 'spending'`)],
);
