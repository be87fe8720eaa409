import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { CreditTransactionId, OwnerId, PaymentId, SettlementId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { payments } from "@/lib/payments/tables";
import { credits, moment } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";

export type CreditKind = "top_up" | "reversal" | "spend";

/** What an owner's prepaid credits did: bought, taken back with the block that bought them, or spent on a service. */
export const creditTransactions = pgTable(
  "credit_transactions",
  {
    id: text("id").$type<CreditTransactionId>().primaryKey(),
    kind: text("kind").$type<CreditKind>().notNull(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** The payment in USDC that bought the credits. */
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .references(() => settlements.id),
    /** The payment of an agent that spent them. */
    paymentId: text("payment_id")
      .$type<PaymentId>()
      .unique()
      .references(() => payments.id),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("credit_transactions_owner").on(t.ownerId, t.createdAt, t.id),
    index("credit_transactions_settlement").on(t.settlementId),
    check("credit_transactions_cause", sql`(kind = 'spend') = (payment_id is not null)`),
    check("credit_transactions_purchase", sql`(kind = 'spend') = (settlement_id is null)`),
  ],
);

/** Immutable postings of a double entry: those of a transaction sum to zero. */
export const creditPostings = pgTable(
  "credit_postings",
  {
    transactionId: text("transaction_id")
      .$type<CreditTransactionId>()
      .notNull()
      .references(() => creditTransactions.id),
    account: text("account").notNull(),
    /** Signed hundredths: negative leaves the account. */
    amount: credits("amount").notNull(),
  },
  (t) => [primaryKey({ columns: [t.transactionId, t.account] }), index("credit_postings_account").on(t.account)],
);

/**
 * What each owner has: the sum of the postings to their account, kept so that one row is locked to spend. It is below zero
 * only when a purchase was taken back by the chain after its credits had been spent.
 */
export const creditBalances = pgTable("credit_balances", {
  ownerId: text("owner_id")
    .$type<OwnerId>()
    .primaryKey()
    .references(() => owners.id),
  balance: credits("balance").notNull(),
});
