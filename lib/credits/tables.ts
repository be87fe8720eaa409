import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { CreditTransactionId, OwnerId, PaymentId, SettlementId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { payments } from "@/lib/payments/tables";
import { credits, moment } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";

export type CreditKind = "top_up" | "reversal" | "spend";

/** A transaction of an owner's prepaid credits: a purchase, its reversal after a reorganisation, or spending on a service. */
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
    /** The agent's payment that spent them. */
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

/** Immutable double-entry postings: those of one transaction sum to zero. */
export const creditPostings = pgTable(
  "credit_postings",
  {
    transactionId: text("transaction_id")
      .$type<CreditTransactionId>()
      .notNull()
      .references(() => creditTransactions.id),
    account: text("account").notNull(),
    /** Hundredths, signed: negative amounts leave the account. */
    amount: credits("amount").notNull(),
  },
  (t) => [primaryKey({ columns: [t.transactionId, t.account] }), index("credit_postings_account").on(t.account)],
);

/**
 * Each owner's balance: the sum of the postings to their account, stored so that spending locks a single row. Negative only after a
 * reorganisation undid a purchase whose credits had been spent.
 */
export const creditBalances = pgTable("credit_balances", {
  ownerId: text("owner_id")
    .$type<OwnerId>()
    .primaryKey()
    .references(() => owners.id),
  balance: credits("balance").notNull(),
});
