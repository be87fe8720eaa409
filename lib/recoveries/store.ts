import { and, asc, desc, eq, gte, max, sql } from "drizzle-orm";
import type { OwnerId, RecoveryId, WalletId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import type { Recovery } from "./rules";
import { recoveries, recoveryAttempts } from "./tables";

export type Attempt = typeof recoveryAttempts.$inferSelect;

/** Serialises recoveries from a wallet until `tx` ends. */
export async function lockWallet(tx: Tx, id: WalletId): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`recoveries.${id}`}, 0))`);
}

export async function isUnderWay(db: Queryable, walletId: WalletId): Promise<boolean> {
  const rows = await db
    .select({ id: recoveries.id })
    .from(recoveries)
    .where(and(eq(recoveries.walletId, walletId), eq(recoveries.state, "sent")))
    .limit(1);
  return rows.length > 0;
}

/** The first nonce of the wallet that no recovery has. */
export async function nextNonce(db: Queryable, walletId: WalletId): Promise<number> {
  const [row] = await db
    .select({ last: max(recoveries.nonce) })
    .from(recoveries)
    .where(eq(recoveries.walletId, walletId));
  return (row?.last ?? -1) + 1;
}

export async function add(tx: Tx, row: typeof recoveries.$inferInsert): Promise<void> {
  await tx.insert(recoveries).values(row);
}

export async function addAttempt(db: Queryable, row: Attempt): Promise<void> {
  await db.insert(recoveryAttempts).values(row);
}

export async function find(db: Queryable, id: RecoveryId): Promise<Recovery | null> {
  const [row] = await db.select().from(recoveries).where(eq(recoveries.id, id));
  return row ?? null;
}

/** Newest first. */
export const listOf = (db: Queryable, ownerId: OwnerId, network: NetworkName, limit: number): Promise<Recovery[]> =>
  db
    .select()
    .from(recoveries)
    .where(and(eq(recoveries.ownerId, ownerId), eq(recoveries.network, network)))
    .orderBy(desc(recoveries.createdAt), desc(recoveries.id))
    .limit(limit);

/** Those that wait for ETH come last, in any order: nobody may ever send it. */
export const listOpen = (db: Queryable, limit: number): Promise<Recovery[]> =>
  db
    .select()
    .from(recoveries)
    .where(eq(recoveries.state, "sent"))
    .orderBy(
      asc(recoveries.lacksGas),
      sql`case when ${recoveries.lacksGas} then random() end`,
      asc(recoveries.createdAt),
    )
    .limit(limit);

/** Newest first. */
export const attemptsOf = (db: Queryable, id: RecoveryId): Promise<Attempt[]> =>
  db
    .select()
    .from(recoveryAttempts)
    .where(eq(recoveryAttempts.recoveryId, id))
    .orderBy(desc(recoveryAttempts.createdAt), desc(recoveryAttempts.hash));

/** Changes a recovery that has not ended. */
export async function changeOpen(
  db: Queryable,
  id: RecoveryId,
  set: Partial<Pick<Recovery, "state" | "lacksGas" | "amount" | "txHash" | "blockNumber" | "received" | "endedAt">>,
): Promise<void> {
  await db
    .update(recoveries)
    .set(set)
    .where(and(eq(recoveries.id, id), eq(recoveries.state, "sent")));
}

/** Blocks from `firstBlock` on were replaced: what ended in them is under way again. */
export async function reopen(tx: Tx, network: NetworkName, firstBlock: bigint): Promise<void> {
  await tx
    .update(recoveries)
    .set({ state: "sent", txHash: null, blockNumber: null, received: null, endedAt: null })
    .where(and(eq(recoveries.network, network), gte(recoveries.blockNumber, firstBlock)));
}
