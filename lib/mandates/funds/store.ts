import { and, asc, eq, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { OwnerId, WalletId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import type { Queryable, Tx } from "@/lib/platform/db";
import { lowBalances, walletReadings, wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { mandates } from "../tables";

/** Marks the spending wallets among these payers to be read at `block` or later. */
export async function markPaid(
  tx: Tx,
  network: NetworkName,
  payers: readonly { address: Address; block: bigint }[],
): Promise<void> {
  const newest = new Map<Address, bigint>();
  for (const { address, block } of payers) if (block > (newest.get(address) ?? -1n)) newest.set(address, block);
  const payerWallets = await tx
    .select({ id: wallets.id, address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.network, network), inArray(wallets.address, [...newest.keys()])))
    // A fixed lock order for all processes.
    .orderBy(asc(wallets.id));
  if (payerWallets.length === 0) return;
  await tx
    .insert(walletReadings)
    .values(payerWallets.map(({ id, address }) => ({ walletId: id, network, paidBlock: newest.get(address) ?? 0n })))
    .onConflictDoUpdate({
      target: walletReadings.walletId,
      set: { paidBlock: sql`greatest(${walletReadings.paidBlock}, excluded.paid_block)` },
    });
}

/** Invalidates readings at blocks from `firstBlock` on. */
export async function invalidateReadings(tx: Tx, network: NetworkName, firstBlock: bigint): Promise<void> {
  await tx
    .update(walletReadings)
    .set({ readBlock: null })
    .where(and(eq(walletReadings.network, network), gte(walletReadings.readBlock, firstBlock)));
}

export type WatchedWallet = { walletId: WalletId; ownerId: OwnerId; address: Address; isLow: boolean };

/** Wallets to read at `block`: those that have paid since their last reading, and low ones not read since `lowCutoff`. */
export const listToRead = (
  db: Queryable,
  network: NetworkName,
  { block, lowCutoff }: { block: bigint; lowCutoff: Date },
  limit: number,
): Promise<WatchedWallet[]> =>
  db
    .select({
      walletId: walletReadings.walletId,
      ownerId: wallets.ownerId,
      address: wallets.address,
      isLow: walletReadings.isLow,
    })
    .from(walletReadings)
    .innerJoin(wallets, eq(wallets.id, walletReadings.walletId))
    .where(
      and(
        eq(walletReadings.network, network),
        or(
          and(
            sql`(${walletReadings.readBlock} is null or ${walletReadings.readBlock} < ${walletReadings.paidBlock})`,
            sql`${walletReadings.paidBlock} <= ${block}`,
          ),
          and(walletReadings.isLow, lt(walletReadings.readBlock, block), lt(walletReadings.readAt, lowCutoff)),
        ),
      ),
    )
    .limit(limit);

/** Locks the wallet's reading for the rest of `tx` and returns whether it was low; null if it was read at `block` or later. */
export async function lockReading(tx: Tx, walletId: WalletId, block: bigint): Promise<boolean | null> {
  const [row] = await tx
    .select({ isLow: walletReadings.isLow })
    .from(walletReadings)
    .where(
      and(
        eq(walletReadings.walletId, walletId),
        or(isNull(walletReadings.readBlock), lt(walletReadings.readBlock, block)),
      ),
    )
    .for("no key update");
  return row?.isLow ?? null;
}

export async function setReading(
  tx: Tx,
  walletId: WalletId,
  set: { readBlock: bigint; readAt: Date; isLow: boolean },
): Promise<void> {
  await tx.update(walletReadings).set(set).where(eq(walletReadings.walletId, walletId));
}

/** The largest remaining budget of the owner's active mandates that pay from this wallet. */
export async function largestRest(db: Queryable, { ownerId, walletId }: WatchedWallet, now: Date): Promise<Usdc> {
  const remainingAmount = sql`${mandates.limitAmount} - ${mandates.spentAmount} - ${mandates.pendingAmount}`;
  const [row] = await db
    .select({ rest: sql`coalesce(max(${remainingAmount}), 0)`.mapWith(mandates.limitAmount) })
    .from(mandates)
    .where(
      and(
        eq(mandates.ownerId, ownerId),
        eq(mandates.state, "signed"),
        eq(mandates.walletId, walletId),
        eq(mandates.mode, "wallet"),
        eq(mandates.isEnabled, true),
        sql`${mandates.validUntil} > ${now.toISOString()}::timestamptz`,
      ),
    );
  return row?.rest ?? ZERO;
}

export async function findThreshold(db: Queryable, ownerId: OwnerId): Promise<Usdc | null> {
  const [row] = await db
    .select({ amount: lowBalances.amount })
    .from(lowBalances)
    .where(eq(lowBalances.ownerId, ownerId));
  return row?.amount ?? null;
}

export async function setThreshold(db: Queryable, ownerId: OwnerId, amount: Usdc, updatedAt: Date): Promise<void> {
  await db
    .insert(lowBalances)
    .values({ ownerId, amount, updatedAt })
    .onConflictDoUpdate({ target: lowBalances.ownerId, set: { amount, updatedAt } });
}
