import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, MandateId, PaymentId, WalletId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import { address, hex, moment, uint256, usdc } from "@/lib/platform/columns";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";

export type PaymentStatus = "signed" | "submitted" | "settled" | "expired" | "cancelled";

/** A payment we signed for an agent, wherever its proof was spent. */
export const payments = pgTable(
  "payments",
  {
    id: text("id").$type<PaymentId>().primaryKey(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .references(() => mandates.id),
    walletId: text("wallet_id")
      .$type<WalletId>()
      .notNull()
      .references(() => wallets.id),
    network: text("network").$type<NetworkName>().notNull(),
    status: text("status").$type<PaymentStatus>().notNull(),
    asset: address("asset").notNull(),
    payer: address("payer").notNull(),
    payee: address("payee").notNull(),
    /** The service that is paid in the owner's service credits; null when USDC moves on the chain. */
    creditPayee: text("credit_payee"),
    amount: usdc("amount").notNull(),
    nonce: hex("nonce").notNull(),
    validAfter: uint256("valid_after").notNull(),
    validBefore: uint256("valid_before").notNull(),
    host: text("host").notNull(),
    resource: text("resource").notNull(),
    description: text("description").notNull(),
    txHash: hex("tx_hash"),
    /** The block that ended it, so that a reorganisation can take the ending back. */
    blockNumber: bigint("block_number", { mode: "bigint" }),
    createdAt: moment("created_at").notNull(),
    settledAt: moment("settled_at"),
  },
  (t) => [
    uniqueIndex("payments_authorization").on(t.network, t.payer, t.nonce),
    index("payments_agent").on(t.agentId, t.createdAt),
    index("payments_mandate").on(t.mandateId, t.createdAt),
    index("payments_status").on(t.network, t.status, t.validBefore),
    index("payments_block").on(t.network, t.blockNumber).where(sql`block_number is not null`),
  ],
);
