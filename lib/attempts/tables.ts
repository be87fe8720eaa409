import { index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, AttemptId, MandateId, OwnerId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import { moment, usdc } from "@/lib/platform/columns";

/** Refused payment requests of agents, counted per minute. */
export const refusedAttempts = pgTable(
  "refused_attempts",
  {
    id: text("id").$type<AttemptId>().primaryKey(),
    /** The owner of the agent at the time of the refusal. */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** Null for a payment without a mandate. */
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .references(() => mandates.id),
    /** The error code in the response. */
    reason: text("reason").notNull(),
    /** Empty in rows that count a whole day: see `ofDay` in rules.ts. */
    host: text("host").notNull(),
    minute: moment("minute").notNull(),
    count: integer("count").notNull(),
    /** `amount`, `network` and `payTo` are those of the newest refusal. */
    amount: usdc("amount").notNull(),
    network: text("network").notNull(),
    payTo: text("pay_to").notNull(),
    firstAt: moment("first_at").notNull(),
    lastAt: moment("last_at").notNull(),
  },
  (t) => [
    unique("refused_attempts_minute").on(t.agentId, t.mandateId, t.reason, t.host, t.minute).nullsNotDistinct(),
    index("refused_attempts_mandate").on(t.mandateId, t.lastAt),
    index("refused_attempts_age").on(t.minute),
  ],
);
