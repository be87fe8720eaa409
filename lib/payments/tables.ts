import { bigint, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, MandateId, PaymentId, WalletId } from "@/lib/core/ids";
import { mandates, reservations } from "@/lib/mandates/tables";
import { address, moment, uint256 } from "@/lib/platform/columns";
import { wallets } from "@/lib/wallets/tables";

export type PaymentStatus = "signed" | "submitted" | "settled" | "expired" | "cancelled";

/** A payment that the service signed for an agent. Its authorization, amount and end are in its reservation. */
export const payments = pgTable(
  "payments",
  {
    id: text("id").$type<PaymentId>().primaryKey(),
    reservationId: bigint("reservation_id", { mode: "number" })
      .notNull()
      .unique()
      .references(() => reservations.id),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** A copy of the reservation's mandate, for the index of lists. */
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .references(() => mandates.id),
    walletId: text("wallet_id")
      .$type<WalletId>()
      .notNull()
      .references(() => wallets.id),
    asset: address("asset").notNull(),
    /** The payee of a payment in service credits; null if USDC moves on the chain. */
    creditPayee: text("credit_payee"),
    validAfter: uint256("valid_after").notNull(),
    host: text("host").notNull(),
    resource: text("resource").notNull(),
    description: text("description").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("payments_agent").on(t.agentId, t.createdAt),
    index("payments_mandate").on(t.mandateId, t.createdAt),
    index("payments_host").on(t.walletId, t.host, t.createdAt),
  ],
);
