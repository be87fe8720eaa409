import type { Verdict } from "@tessera/firewall/verdict";
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, PaymentId, ScanId, SettlementId } from "@/lib/core/ids";
import type { ScanKind } from "@/lib/core/scans";
import { payments } from "@/lib/payments/tables";
import { hex, moment } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";

/** A scan that is paid or being paid. Contains the result, never the scanned input. */
export const firewallScans = pgTable(
  "firewall_scans",
  {
    scanId: text("scan_id").$type<ScanId>().primaryKey(),
    kind: text("kind").$type<ScanKind>().notNull(),
    /** SHA-256 of the scan kind and the body, to recognise a repeated request. */
    bodyHash: hex("body_hash").notNull(),
    /** The agent named in X-Agent-ID. Not authenticated. */
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .references(() => agents.id),
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .unique()
      .references(() => settlements.id),
    /** The payment in service credits. */
    paymentId: text("payment_id")
      .$type<PaymentId>()
      .unique()
      .references(() => payments.id),
    verdict: text("verdict").$type<Verdict>().notNull(),
    riskScore: integer("risk_score").notNull(),
    codes: text("codes").array().notNull(),
    rulesetVersion: text("ruleset_version").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("firewall_scans_agent").on(t.agentId, t.createdAt, t.scanId),
    check("firewall_scans_paid", sql`(settlement_id is null) <> (payment_id is null)`),
  ],
);
