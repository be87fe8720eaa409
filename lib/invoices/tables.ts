import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, InvoiceId, LinkId, OwnerId } from "@/lib/core/ids";
import { paymentLinks } from "@/lib/links/tables";
import { owners } from "@/lib/owners/tables";
import { moment, usdc } from "@/lib/platform/columns";
import type { NetworkName } from "@/lib/x402/networks";

/** A line in JSON, which has no bigint. `amount` is quantity times unit amount, rounded by `totalsOf`. */
export type StoredLine = { description: string; quantity: string; unitAmount: string; amount: string };
export type StoredTax = { label: string; percent: string | null; amount: string };

/** A document for a payment link whose amount is the total. The link's settlements say whether it is paid. */
export const invoices = pgTable(
  "invoices",
  {
    invoiceId: text("invoice_id").$type<InvoiceId>().primaryKey(),
    id: bigint("id", { mode: "number" }).notNull().unique().generatedAlwaysAsIdentity(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** The agent's owner, to whom the invoice binds the agent permanently. */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    createdBy: text("created_by").$type<"agent" | "owner">().notNull(),
    linkId: text("link_id")
      .$type<LinkId>()
      .notNull()
      .unique()
      .references(() => paymentLinks.linkId),
    number: text("number").notNull(),
    network: text("network").$type<NetworkName>().notNull(),
    total: usdc("total").notNull(),
    subtotal: usdc("subtotal").notNull(),
    /** The seller's name and verified domain at creation. Later changes of the profile do not affect the invoice. */
    sellerName: text("seller_name").notNull(),
    sellerDomain: text("seller_domain"),
    buyerName: text("buyer_name").notNull(),
    /** For the seller. The buyer's page does not show it. */
    buyerEmail: text("buyer_email"),
    buyerAddress: text("buyer_address"),
    /** The seller's own text, for example address and tax number. */
    sellerDetails: text("seller_details"),
    lines: jsonb("lines").$type<StoredLine[]>().notNull(),
    tax: jsonb("tax").$type<StoredTax>(),
    note: text("note"),
    /** Calendar days in UTC. */
    issueDate: date("issue_date", { mode: "string" }).notNull(),
    dueDate: date("due_date", { mode: "string" }).notNull(),
    isPayableAfterDue: boolean("is_payable_after_due").notNull(),
    cancelledAt: moment("cancelled_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("invoices_number").on(t.ownerId, t.number),
    index("invoices_owner").on(t.ownerId, t.id),
    index("invoices_agent").on(t.agentId, t.id),
    check("invoices_created_by", sql`created_by in ('agent', 'owner')`),
    check("invoices_total", sql`total > 0 and subtotal >= 0 and subtotal <= total`),
    check("invoices_due", sql`due_date >= issue_date`),
  ],
);

/** The last automatic number of an owner's year. */
export const invoiceNumbers = pgTable(
  "invoice_numbers",
  {
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    year: integer("year").notNull(),
    last: bigint("last", { mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.year] })],
);
