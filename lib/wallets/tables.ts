import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { OwnerId, WalletId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { address, moment, usdc } from "@/lib/platform/columns";
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
    /** Raised when a cap on its spending begins or ends. Zero: it never had one. */
    capsRevision: integer("caps_revision").notNull().default(0),
    /** Raised when the owner's lists of payees change. Zero: there never was one. */
    payeesRevision: integer("payees_revision").notNull().default(0),
  },
  (t) => [uniqueIndex("wallets_one_spending").on(t.ownerId, t.network).where(sql`purpose = 'spending'`)],
);

/** The balance below which an owner is notified. The default is LOW_BALANCE_DEFAULT; zero disables the notification. */
export const lowBalances = pgTable(
  "low_balances",
  {
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .primaryKey()
      .references(() => owners.id),
    amount: usdc("amount").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  () => [check("low_balances_amount", sql`amount >= 0`)],
);

/** Spending wallets that have paid, and the last reading of their balance. */
export const walletReadings = pgTable(
  "wallet_readings",
  {
    walletId: text("wallet_id")
      .$type<WalletId>()
      .primaryKey()
      .references(() => wallets.id),
    network: text("network").$type<NetworkName>().notNull(),
    /** The newest block in which it paid. */
    paidBlock: bigint("paid_block", { mode: "bigint" }).notNull(),
    /** The block and time of the last balance reading; null before the first one, and after a reorganisation of that block. */
    readBlock: bigint("read_block", { mode: "bigint" }),
    readAt: moment("read_at"),
    /** The owner was notified, and the balance has not been above their threshold since. */
    isLow: boolean("is_low").notNull().default(false),
  },
  (t) => [
    index("wallet_readings_due").on(t.network).where(sql`read_block is null or read_block < paid_block`),
    index("wallet_readings_low").on(t.network, t.readAt).where(sql`is_low`),
    index("wallet_readings_block").on(t.network, t.readBlock),
  ],
);
