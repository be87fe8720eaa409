import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { OwnerId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { type Db, isAmong, type Queryable, type Tx } from "@/lib/platform/db";
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

/** Returns a function that reads balances, in the order of the owners. */
export function balanceReader(db: Db) {
  const query = db
    .select()
    .from(creditBalances)
    .where(isAmong(creditBalances.ownerId, "ownerIds"))
    .prepare("credit_balances");
  return async (ownerIds: readonly OwnerId[]): Promise<Credits[]> => {
    const rows = await query.execute({ ownerIds: [...new Set(ownerIds)] });
    const balances = new Map(rows.map(({ ownerId, balance }) => [ownerId, balance]));
    return ownerIds.map((ownerId) => balances.get(ownerId) ?? toCredits(0n));
  };
}

export type NewMove = { transaction: NewTransaction; against: string; amount: Credits };

/** Adds each `amount`, which may be negative, to the account of its owner and takes it from the account `against`. */
export async function post(tx: Tx, moves: readonly NewMove[]): Promise<void> {
  if (moves.length === 0) return;
  const sums = new Map<OwnerId, bigint>();
  for (const { transaction, amount } of moves)
    sums.set(transaction.ownerId, (sums.get(transaction.ownerId) ?? 0n) + amount);
  await tx.insert(creditTransactions).values(moves.map(({ transaction }) => transaction));
  await tx.insert(creditPostings).values(
    moves.flatMap(({ transaction: { id: transactionId, ownerId }, against, amount }) => [
      { transactionId, account: accountOf(ownerId), amount },
      { transactionId, account: against, amount: toCredits(-amount) },
    ]),
  );
  // A fixed lock order for all processes.
  const changes = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx
    .insert(creditBalances)
    .values(changes.map(([ownerId, sum]) => ({ ownerId, balance: toCredits(sum) })))
    .onConflictDoUpdate({
      target: creditBalances.ownerId,
      set: { balance: sql`${creditBalances.balance} + excluded.balance` },
    });
}

/** Locks the owners' balances for the rest of `tx`. An owner without a row has no entry. */
export async function lockBalances(tx: Tx, ownerIds: readonly OwnerId[]): Promise<Map<OwnerId, Credits>> {
  const rows = await tx
    .select()
    .from(creditBalances)
    .where(inArray(creditBalances.ownerId, [...ownerIds]))
    .orderBy(asc(creditBalances.ownerId))
    .for("update");
  return new Map(rows.map(({ ownerId, balance }) => [ownerId, balance]));
}

export type CreditPurchase = { settlement: typeof settlements.$inferSelect; credited: Credits };

/** Purchases among these authorizations, with the credits that each has added so far. */
export const purchasesOf = (tx: Tx, network: NetworkName, facts: Transfer[]): Promise<CreditPurchase[]> =>
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
export const purchasesUndone = async (tx: Tx, network: NetworkName): Promise<CreditPurchase[]> => {
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

const purchasesWhere = (tx: Tx, condition: ReturnType<typeof and>): Promise<CreditPurchase[]> =>
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
  { ownerId, after: cursor, limit }: { ownerId: OwnerId; after?: Cursor | undefined; limit: number },
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
        cursor &&
          sql`(${creditTransactions.createdAt}, ${creditTransactions.id}) < (${sql.param(cursor.time, creditTransactions.createdAt)}, ${cursor.id})`,
      ),
    )
    .orderBy(desc(creditTransactions.createdAt), desc(creditTransactions.id))
    .limit(limit);
  return rows.map(({ transaction, amount }) => ({ ...transaction, amount }));
}
