import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, MandateId, OwnerId, PayoutId, SettlementId, WalletId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import { address, moment, usdc } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";

/**
 * A payment from a spending wallet to addresses that an agent or the owner names, all transfers or none. It is approved
 * exactly when its legs are claimed. Its expiry is computed from the clock and its progress from its settlements.
 */
export const payouts = pgTable(
  "payouts",
  {
    id: text("id").$type<PayoutId>().primaryKey(),
    /** The creator's name for it, which makes creation idempotent. */
    payoutId: text("payout_id").notNull(),
    /** Null if the owner created it. */
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .references(() => agents.id),
    /** Null while its agent has no owner. */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .references(() => owners.id),
    network: text("network").$type<NetworkName>().notNull(),
    /** The sum of its legs. */
    amount: usdc("amount").notNull(),
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .references(() => mandates.id),
    bizId: text("biz_id"),
    description: text("description").notNull(),
    /** SHA-256 of network, legs, mandate, bizId and description: distinguishes a repeat from a different payout with the same payoutId. */
    fingerprint: text("fingerprint").notNull(),
    /** The paying wallet; null until it is approved. */
    walletId: text("wallet_id")
      .$type<WalletId>()
      .references(() => wallets.id),
    createdAt: moment("created_at").notNull(),
    /** Until when it can be approved. */
    expiresAt: moment("expires_at").notNull(),
    approvedAt: moment("approved_at"),
    /** Whether the owner's wallet signed the approval. Unsigned approvals count towards the approval limit for 24 hours. */
    isSigned: boolean("is_signed").notNull().default(false),
    deniedAt: moment("denied_at"),
    cancelledAt: moment("cancelled_at"),
    /** When the chain first showed one of its transfers. A reorganisation does not clear it. */
    startedAt: moment("started_at"),
    succeededAt: moment("succeeded_at"),
    failedAt: moment("failed_at"),
  },
  (t) => [
    uniqueIndex("payouts_of_agent").on(t.agentId, t.payoutId).where(sql`agent_id is not null`),
    uniqueIndex("payouts_of_owner").on(t.ownerId, t.payoutId).where(sql`agent_id is null`),
    index("payouts_name").on(t.payoutId),
    index("payouts_agent").on(t.agentId, t.createdAt, t.id),
    index("payouts_owner").on(t.ownerId, t.createdAt, t.id),
    index("payouts_mandate").on(t.mandateId),
    index("payouts_unsigned").on(t.walletId, t.approvedAt).where(sql`mandate_id is null and not is_signed`),
    index("payouts_undecided")
      .on(t.createdAt, t.id)
      .where(sql`approved_at is null and denied_at is null and cancelled_at is null`),
    index("payouts_unfinished")
      .on(t.approvedAt)
      .where(sql`approved_at is not null and succeeded_at is null and failed_at is null`),
    check("payouts_amount", sql`amount > 0`),
    check("payouts_maker", sql`agent_id is not null or owner_id is not null`),
    check("payouts_approved", sql`(wallet_id is null) = (approved_at is null)`),
    check("payouts_owned", sql`approved_at is null or owner_id is not null`),
    check("payouts_once", sql`num_nonnulls(approved_at, denied_at, cancelled_at) <= 1`),
    check("payouts_ended", sql`num_nonnulls(succeeded_at, failed_at) <= (approved_at is not null)::int`),
  ],
);

/** One transfer of a payout. Its state is that of its settlement, which exists once the payout is approved. */
export const payoutLegs = pgTable(
  "payout_legs",
  {
    payout: text("payout")
      .$type<PayoutId>()
      .notNull()
      .references(() => payouts.id),
    index: integer("index").notNull(),
    toAddress: address("to_address").notNull(),
    amount: usdc("amount").notNull(),
    /** Its share in basis points, if the payout was split by shares. */
    shareBps: integer("share_bps"),
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .unique("payout_legs_settlement")
      .references(() => settlements.id),
  },
  (t) => [
    primaryKey({ columns: [t.payout, t.index] }),
    uniqueIndex("payout_legs_address").on(t.payout, t.toAddress),
    index("payout_legs_to").on(t.toAddress),
    check("payout_legs_amount", sql`amount > 0`),
  ],
);

/** An owner's address book. */
export const payoutAddresses = pgTable(
  "payout_addresses",
  {
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    address: address("address").notNull(),
    name: text("name").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.address] })],
);
