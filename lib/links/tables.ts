import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, LinkId, OwnerId, SettlementId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { address, hex, moment, usdc } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";
import type { NetworkName } from "@/lib/x402/networks";

/** What its owner sets; expired and sold out follow from the other columns, the clock and the settlements. */
export type LinkStatus = "active" | "disabled";
/** What was paid for: a link, or an agent's permanent address. */
export type ReceivedSource = "payment_link" | "upl";

export const paymentLinks = pgTable(
  "payment_links",
  {
    linkId: text("link_id").$type<LinkId>().primaryKey(),
    id: bigint("id", { mode: "number" }).notNull().unique().generatedAlwaysAsIdentity(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    amount: usdc("amount").notNull(),
    network: text("network").$type<NetworkName>().notNull(),
    description: text("description").notNull(),
    /** Given to whoever has paid, and to nobody before. */
    resourceContent: text("resource_content"),
    redirectUrl: text("redirect_url"),
    status: text("status").$type<LinkStatus>().notNull(),
    expiresAt: moment("expires_at"),
    maxUses: integer("max_uses"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    deletedAt: moment("deleted_at"),
  },
  (t) => [
    index("payment_links_agent").on(t.agentId, t.id),
    check("payment_links_amount", sql`amount > 0`),
    check("payment_links_uses", sql`max_uses > 0`),
  ],
);

/** A sale of an agent. How it ended stands in its settlement. */
export const receivedPayments = pgTable(
  "received_payments",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .notNull()
      .unique()
      .references(() => settlements.id),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** Who was paid: the agent's owner at that moment. The agent may have another owner now. */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    source: text("source").$type<ReceivedSource>().notNull(),
    linkId: text("link_id")
      .$type<LinkId>()
      .references(() => paymentLinks.linkId),
    /** What the link gave when the proof was accepted: a later change of the link is not for this buyer. */
    content: text("content"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("received_payments_agent").on(t.agentId, t.id),
    index("received_payments_owner").on(t.ownerId, t.id),
    index("received_payments_owner_time").on(t.ownerId, t.createdAt),
    index("received_payments_link").on(t.linkId, t.id),
    check("received_payments_source", sql`(source = 'payment_link') = (link_id is not null)`),
  ],
);

/** A visit to a link's checkout page, as the visitor's browser tells it: for the seller's eyes, never for money. */
export const linkVisits = pgTable(
  "link_visits",
  {
    linkId: text("link_id")
      .$type<LinkId>()
      .notNull()
      .references(() => paymentLinks.linkId),
    /** Drawn by the browser for one visit. */
    visitId: text("visit_id").notNull(),
    viewedAt: moment("viewed_at").notNull(),
    connectedAt: moment("connected_at"),
    signedAt: moment("signed_at"),
    /** The authorization the visitor says they signed; whether it was paid stands in its settlement. */
    payer: address("payer"),
    nonce: hex("nonce"),
  },
  (t) => [
    primaryKey({ columns: [t.linkId, t.visitId] }),
    index("link_visits_viewed").on(t.linkId, t.viewedAt),
    check("link_visits_signed", sql`(signed_at is null) = (nonce is null) and (nonce is null) = (payer is null)`),
  ],
);

/** A proof that was presented at a link and refused. Those that were accepted are settlements. */
export const linkRefusals = pgTable(
  "link_refusals",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    linkId: text("link_id")
      .$type<LinkId>()
      .notNull()
      .references(() => paymentLinks.linkId),
    code: text("code").notNull(),
    /** Whom the proof names as its payer, when it can be read: not proven. */
    payer: address("payer"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [index("link_refusals_link").on(t.linkId, t.id)],
);
