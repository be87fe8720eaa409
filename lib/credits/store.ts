import { and, desc, eq, sql } from "drizzle-orm";
import type { OwnerId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { Transfer } from "@/lib/platform/subscriber";
import { settlements } from "@/lib/settlements/tables";
import { type Credits, toCredits } from "@/lib/x402/credits";
import type { NetworkName } from "@/lib/x402/networks";
import { accountOf, ISSUED } from "./rules";
import { creditBalances, creditPostings, creditTransactions } from "./tables";

export type CreditTransaction = typeof creditTransactions.$inferSelect;
export type NewTransaction = typeof creditTransactions.$inferInsert;
/** A transaction and the amount it added to the owner's account. */
export type CreditMove = CreditTransaction & { amount: Credits };

export async function balance(db: Queryable, ownerId: OwnerId): Promise<Credits> {
  const [row] = await db.select().from(creditBalances).where(eq(creditBalances.ownerId, ownerId));
  return row?.balance ?? toCredits(0n);
}

/** Adds `amount`, which may be negative, to the owner's account and takes it from the account `against`. */
export async function post(tx: Tx, transaction: NewTransaction, against: string, amount: Credits): Promise<void> {
  const { id: transactionId, ownerId } = transaction;
  const account = accountOf(ownerId);
  await tx.insert(creditTransactions).values(transaction);
  await tx.insert(creditPostings).values([
    { transactionId, account, amount },
    { transactionId, account: against, amount: toCredits(-amount) },
  ]);
  await tx
    .insert(creditBalances)
    .values({ ownerId, balance: amount })
    .onConflictDoUpdate({
      target: creditBalances.ownerId,
      set: { balance: sql`${creditBalances.balance} + excluded.balance` },
    });
}

/** The owner's balance, locked for the rest of `tx`. */
export async function lockBalance(tx: Tx, ownerId: OwnerId): Promise<Credits> {
  const [row] = await tx.select().from(creditBalances).where(eq(creditBalances.ownerId, ownerId)).for("update");
  return row?.balance ?? toCredits(0n);
}

export type Purchase = { settlement: typeof settlements.$inferSelect; credited: Credits };

/** Purchases among these authorizations, with the credits that each has added so far. */
export const purchasesOf = (tx: Tx, network: NetworkName, facts: Transfer[]): Promise<Purchase[]> =>
  purchasesWhere(
    tx,
    and(
      eq(settlements.network, network),
      sql`(${settlements.payer}, ${settlements.nonce}) in (select k.payer, k.nonce from jsonb_to_recordset(${JSON.stringify(
        facts.map(({ from, nonce }) => ({ payer: from, nonce })),
      )}::jsonb) as k(payer text, nonce text))`,
    ),
  );

/** Purchases that are no longer settled but whose credits have not been taken back. */
export const purchasesUndone = async (tx: Tx, network: NetworkName): Promise<Purchase[]> => {
  const open = await purchasesWhere(
    tx,
    and(
      eq(settlements.network, network),
      sql`${settlements.state} <> 'settled'`,
      sql`${settlements.id} in (
      select ${creditTransactions.settlementId} from ${creditTransactions})`,
    ),
  );
  return open.filter(({ credited }) => credited > 0n);
};

const purchasesWhere = (tx: Tx, condition: ReturnType<typeof and>): Promise<Purchase[]> =>
  tx
    .select({
      settlement: settlements,
      // Qualified with the table: a bare column would refer to one of the inner tables.
      credited: sql<string>`coalesce((
        select sum(p.amount) from ${creditTransactions} t
        join ${creditPostings} p on p.transaction_id = t.id and p.account <> ${ISSUED}
        where t.settlement_id = settlements.id), 0)`.mapWith(creditPostings.amount),
    })
    .from(settlements)
    .where(and(eq(settlements.purpose, "credits"), condition))
    .orderBy(settlements.id);

/** Newest first. */
export async function listMoves(
  db: Queryable,
  { ownerId, after, limit }: { ownerId: OwnerId; after?: Cursor | undefined; limit: number },
): Promise<CreditMove[]> {
  const rows = await db
    .select({ transaction: creditTransactions, amount: creditPostings.amount })
    .from(creditTransactions)
    .innerJoin(
      creditPostings,
      and(eq(creditPostings.transactionId, creditTransactions.id), eq(creditPostings.account, accountOf(ownerId))),
    )
    .where(
      and(
        eq(creditTransactions.ownerId, ownerId),
        after &&
          sql`(${creditTransactions.createdAt}, ${creditTransactions.id}) < (${sql.param(after.at, creditTransactions.createdAt)}, ${after.id})`,
      ),
    )
    .orderBy(desc(creditTransactions.createdAt), desc(creditTransactions.id))
    .limit(limit);
  return rows.map(({ transaction, amount }) => ({ ...transaction, amount }));
}
