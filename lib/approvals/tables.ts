import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, ApprovalId, MandateId, PaymentId, WalletId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import { payments } from "@/lib/payments/tables";
import { address, moment, usdc } from "@/lib/platform/columns";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";

/**
 * A request to approve one payment without a mandate. It is used if and only if `paymentId` is set, which happens in the statement
 * that inserts the payment; expired is derived from the clock.
 */
export const approvals = pgTable(
  "approvals",
  {
    id: text("id").$type<ApprovalId>().primaryKey(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    network: text("network").$type<NetworkName>().notNull(),
    amount: usdc("amount").notNull(),
    payee: address("payee").notNull(),
    host: text("host").notNull(),
    resource: text("resource").notNull(),
    description: text("description").notNull(),
    /** Requested validity of the proof, in seconds. */
    windowSeconds: integer("window_seconds").notNull(),
    /** SHA-256 of the token in the approvalUrl. */
    tokenHash: text("token_hash").notNull(),
    /** The wallet that pays it; null until it is approved. */
    walletId: text("wallet_id")
      .$type<WalletId>()
      .references(() => wallets.id),
    paymentId: text("payment_id")
      .$type<PaymentId>()
      .unique()
      .references(() => payments.id),
    /** The mandate that the owner prepared on the approval's page, for future payments. */
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .references(() => mandates.id),
    /** Whether it was above a limit of the owner when it was asked for. */
    isAboveLimit: boolean("is_above_limit").notNull(),
    /**
     * The newest reservation when a request asked that a mandate may pay later; null if none did. Not a time: the clocks of two processes
     * differ.
     */
    afterReservation: bigint("after_reservation", { mode: "number" }),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    approvedAt: moment("approved_at"),
    /** Whether the owner's wallet signed the approval. Unsigned approvals count towards the approval limit for 24 hours. */
    isSigned: boolean("is_signed").notNull().default(false),
    deniedAt: moment("denied_at"),
  },
  (t) => [
    index("approvals_agent").on(t.agentId, t.createdAt),
    index("approvals_waiting").on(t.agentId, t.expiresAt).where(sql`approved_at is null and denied_at is null`),
    index("approvals_unsigned").on(t.walletId, t.approvedAt).where(sql`approved_at is not null and not is_signed`),
    check("approvals_amount", sql`amount > 0`),
    check("approvals_approved", sql`(wallet_id is null) = (approved_at is null)`),
    check("approvals_used", sql`payment_id is null or (approved_at is not null and denied_at is null)`),
  ],
);
