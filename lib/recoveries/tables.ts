import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { OwnerId, RecoveryId, WalletId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { address, hex, moment, uint256 } from "@/lib/platform/columns";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";

/** Something other than USDC on its way from a spending wallet to its owner, in a transaction that the wallet itself sends. */
export const recoveries = pgTable(
  "recoveries",
  {
    id: text("id").$type<RecoveryId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    walletId: text("wallet_id")
      .$type<WalletId>()
      .notNull()
      .references(() => wallets.id),
    network: text("network").$type<NetworkName>().notNull(),
    /** Null for ETH. */
    token: address("token"),
    /** What the token calls itself; null for ETH, and for a token that says nothing. */
    symbol: text("symbol"),
    decimals: integer("decimals"),
    /** The owner's own address when they signed. */
    toAddress: address("to_address").notNull(),
    amount: uint256("amount").notNull(),
    nonce: integer("nonce").notNull(),
    gas: bigint("gas", { mode: "bigint" }).notNull(),
    /** `sent`: the chain has not shown its end. The others are what a block shows; see `outcomeOf`. */
    state: text("state").$type<"sent" | "arrived" | "failed" | "unclear">().notNull(),
    /** A node refused it last because the wallet has too little ETH for gas. */
    lacksGas: boolean("lacks_gas").notNull().default(false),
    /** Of the transaction that ended it, like the members up to `endedAt`. */
    txHash: hex("tx_hash"),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    /** By how much the balance of the owner's address rose in that block. */
    received: uint256("received"),
    endedAt: moment("ended_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("recoveries_nonce").on(t.walletId, t.nonce),
    index("recoveries_owner").on(t.ownerId, t.network, t.createdAt, t.id),
    index("recoveries_open").on(t.createdAt).where(sql`state = 'sent'`),
    index("recoveries_block").on(t.network, t.blockNumber),
    check("recoveries_amount", sql`amount > 0`),
    check(
      "recoveries_ended",
      sql`(state = 'sent') = (block_number is null) and (block_number is null) = (tx_hash is null)`,
    ),
  ],
);

/** Each signed version of a recovery's transaction: all have its nonce, so at most one is ever mined. */
export const recoveryAttempts = pgTable(
  "recovery_attempts",
  {
    hash: hex("hash").primaryKey(),
    recoveryId: text("recovery_id")
      .$type<RecoveryId>()
      .notNull()
      .references(() => recoveries.id),
    raw: hex("raw").notNull(),
    /** What this version sends. Of ETH, less is sent when gas costs more. */
    amount: uint256("amount").notNull(),
    maxFeePerGas: uint256("max_fee_per_gas").notNull(),
    maxPriorityFeePerGas: uint256("max_priority_fee_per_gas").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [index("recovery_attempts_recovery").on(t.recoveryId, t.createdAt)],
);
