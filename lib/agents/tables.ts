import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import type { PaymentScan } from "@/lib/core/scans";
import { owners } from "@/lib/owners/tables";
import { address, moment } from "@/lib/platform/columns";

export const agents = pgTable(
  "agents",
  {
    id: uuid("id").$type<AgentId>().primaryKey(),
    name: text("name").notNull(),
    clientInfo: text("client_info").notNull(),
    email: text("email"),
    /** SHA-256 of the `tok_…` shown once at registration. */
    tokenHash: text("token_hash").notNull(),
    /** The token before the last rotation, valid until `oldTokenUntil`. */
    oldTokenHash: text("old_token_hash"),
    oldTokenUntil: moment("old_token_until"),
    /** Login JWTs issued before this time are refused. Set when a token is revoked at once. */
    loginsFrom: moment("logins_from"),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .references(() => owners.id),
    /** The address that its UPL pays; null means its owner's spending wallet. */
    receivingAddress: address("receiving_address"),
    /** Whether its payments are scanned before they are signed, and which verdicts refuse them. */
    paymentScan: text("payment_scan").$type<PaymentScan>().notNull().default("off"),
    linkedAt: moment("linked_at"),
    /** When its owner first signed a mandate for it, approved its payment or payout, issued an invoice or gave a link a file. Until then the agent can unlink itself. */
    boundAt: moment("bound_at"),
    /** When the agent was first paid while linked. Afterwards, deletion by its owner no longer only unlinks it; its sales are kept. */
    soldAt: moment("sold_at"),
    createdAt: moment("created_at").notNull(),
    deletedAt: moment("deleted_at"),
  },
  (t) => [
    index("agents_owner").on(t.ownerId),
    index("agents_token").on(t.tokenHash),
    index("agents_old_token").on(t.oldTokenHash),
  ],
);
