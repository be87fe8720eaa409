import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, OwnerId, RefundId, SettlementId } from "@/lib/core/ids";
import { receivedPayments } from "@/lib/links/tables";
import { owners } from "@/lib/owners/tables";
import { moment, usdc } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";

/** Who requested or cancelled a refund. */
export type RefundParty = "agent" | "owner";

/**
 * A full or partial refund of one payment. It is approved if and only if it has a settlement, which has the transfer's status;
 * expired is derived from the clock.
 */
export const refunds = pgTable(
  "refunds",
  {
    refundId: text("refund_id").$type<RefundId>().primaryKey(),
    id: bigint("id", { mode: "number" }).notNull().unique().generatedAlwaysAsIdentity(),
    paymentId: bigint("payment_id", { mode: "number" })
      .notNull()
      .references(() => receivedPayments.id),
    /** The agent that was paid. */
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** The owner of the payment: who owned the agent when it was paid. */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    amount: usdc("amount").notNull(),
    /** Free text by the agent or owner; shown to the owner, never to the payer. */
    reason: text("reason"),
    requestedBy: text("requested_by").$type<RefundParty>().notNull(),
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .unique()
      .references(() => settlements.id),
    cancelledBy: text("cancelled_by").$type<RefundParty>(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    approvedAt: moment("approved_at"),
    cancelledAt: moment("cancelled_at"),
  },
  (t) => [
    index("refunds_agent").on(t.agentId, t.ownerId, t.id),
    index("refunds_owner").on(t.ownerId, t.id),
    index("refunds_waiting").on(t.ownerId, t.expiresAt).where(sql`settlement_id is null and cancelled_at is null`),
    index("refunds_payment").on(t.paymentId),
    check("refunds_amount", sql`amount > 0`),
    check("refunds_approved", sql`(settlement_id is null) = (approved_at is null)`),
    check("refunds_cancelled", sql`(cancelled_by is null) = (cancelled_at is null)`),
    check("refunds_once", sql`settlement_id is null or cancelled_at is null`),
  ],
);
