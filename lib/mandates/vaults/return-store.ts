import { and, eq, gt, gte, inArray, isNull, or, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { MandateId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { vaultReturns, vaultSearches, vaults } from "@/lib/vaults/tables";
import type { NetworkName } from "@/lib/x402/networks";

/** A signed vault and its pocket. */
export type WatchedVault = { mandateId: MandateId; address: Address; pocket: Address | null; owner: Address };

/** Vaults that can pay or return something, and those that were closed after `closed`. */
export async function listWatched(db: Queryable, network: NetworkName, closed: Date): Promise<WatchedVault[]> {
  const { mandateId, address, pocket, owner } = vaults;
  const rows = await db
    .select({ mandateId, address, pocket, owner })
    .from(vaults)
    .where(
      and(
        eq(vaults.network, network),
        sql`${vaults.state} <> 'proposed'`,
        or(isNull(vaults.closedAt), gt(vaults.closedAt, closed), inArray(vaults.state, ["opening", "open", "closing"])),
      ),
    );
  return rows.flatMap(({ address: vault, owner: ownerAddress, ...row }) =>
    vault && ownerAddress ? [{ ...row, address: vault, owner: ownerAddress }] : [],
  );
}

/** The block up to which the network was searched; null before the first search. */
export async function searchedUpTo(db: Queryable, network: NetworkName): Promise<bigint | null> {
  const [row] = await db.select().from(vaultSearches).where(eq(vaultSearches.network, network));
  return row?.blockNumber ?? null;
}

export async function setSearched(tx: Tx, network: NetworkName, blockNumber: bigint): Promise<void> {
  await tx
    .insert(vaultSearches)
    .values({ network, blockNumber })
    .onConflictDoUpdate({ target: vaultSearches.network, set: { blockNumber } });
}

type Return = Pick<typeof vaultReturns.$inferSelect, "mandateId" | "amount">;
const RETURN = { mandateId: vaultReturns.mandateId, amount: vaultReturns.amount };

export async function addReturns(tx: Tx, rows: (typeof vaultReturns.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return;
  await total(tx, await tx.insert(vaultReturns).values(rows).onConflictDoNothing().returning(RETURN), 1n);
}

async function total(tx: Tx, rows: readonly Return[], sign: 1n | -1n): Promise<void> {
  // A fixed lock order for all processes.
  for (const { mandateId, amount } of rows.toSorted((a, b) => (a.mandateId < b.mandateId ? -1 : 1))) {
    const change = sql`${vaults.returned} + ${(sign * amount).toString()}::numeric`;
    await tx.update(vaults).set({ returned: change }).where(eq(vaults.mandateId, mandateId));
  }
}

/** Deletes the returns of blocks from `firstBlock` on, and has those blocks searched again. */
export async function unwind(tx: Tx, network: NetworkName, firstBlock: bigint): Promise<void> {
  const undone = await tx
    .delete(vaultReturns)
    .where(and(eq(vaultReturns.network, network), gte(vaultReturns.blockNumber, firstBlock)))
    .returning(RETURN);
  await total(tx, undone, -1n);
  await tx
    .update(vaultSearches)
    .set({ blockNumber: firstBlock - 1n })
    .where(and(eq(vaultSearches.network, network), gte(vaultSearches.blockNumber, firstBlock)));
}
