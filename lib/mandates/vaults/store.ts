import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { MandateId, OwnerId } from "@/lib/core/ids";
import { type Usdc, ZERO } from "@/lib/core/money";
import type { Queryable, Tx } from "@/lib/platform/db";
import { notify } from "@/lib/platform/queue";
import { vaultReturns, vaultSearches, vaults } from "@/lib/vaults/tables";
import type { NetworkName } from "@/lib/x402/networks";
import { mandates, reservations } from "../tables";

export type VaultRow = typeof vaults.$inferSelect;
type NewVault = typeof vaults.$inferInsert;

/** The mandate's vault. Inserts `fresh` if there is none. */
export async function ensure(db: Queryable, fresh: NewVault): Promise<VaultRow> {
  await db.insert(vaults).values(fresh).onConflictDoNothing({ target: vaults.mandateId });
  const vault = await find(db, fresh.mandateId);
  if (!vault) throw new Error(`${fresh.mandateId} has no vault`);
  return vault;
}

export async function find(db: Queryable, mandateId: MandateId): Promise<VaultRow | null> {
  const [row] = await db.select().from(vaults).where(eq(vaults.mandateId, mandateId));
  return row ?? null;
}

export const findAll = (db: Queryable, mandateIds: readonly MandateId[]): Promise<VaultRow[]> =>
  db
    .select()
    .from(vaults)
    .where(inArray(vaults.mandateId, [...mandateIds]));

/** For each network: the number of an owner's vaults that are not closed, and their balances at the last reading. */
export const sumsOf = (
  db: Queryable,
  ownerId: OwnerId,
): Promise<{ network: NetworkName; count: number; balance: Usdc | null }[]> =>
  db
    .select({
      network: vaults.network,
      count: sql<number>`count(*)::int`,
      balance: sql`sum(${vaults.balance} + ${vaults.pocketBalance})`.mapWith(vaults.balance),
    })
    .from(vaults)
    .innerJoin(mandates, eq(mandates.id, vaults.mandateId))
    .where(and(eq(mandates.ownerId, ownerId), inArray(vaults.state, ["opening", "open", "closing"])))
    .groupBy(vaults.network);

/** Call it after the mandate's lock, if both are needed. */
export async function lock(tx: Tx, mandateId: MandateId): Promise<VaultRow | null> {
  const [row] = await tx.select().from(vaults).where(eq(vaults.mandateId, mandateId)).for("no key update");
  return row ?? null;
}

export async function change(tx: Queryable, mandateId: MandateId, set: Partial<NewVault>): Promise<void> {
  await tx.update(vaults).set(set).where(eq(vaults.mandateId, mandateId));
}

/** Whether a vault of the network holds money, or may receive some. */
export async function hasLive(db: Queryable, network: NetworkName): Promise<boolean> {
  const [row] = await db
    .select({ one: sql`1` })
    .from(vaults)
    .where(and(eq(vaults.network, network), inArray(vaults.state, ["opening", "open", "closing"])))
    .limit(1);
  return row !== undefined;
}

/** Has vaults read again at once, found by their own address or their pocket's. */
export async function markStale(db: Queryable, network: NetworkName, addresses: readonly Address[]): Promise<void> {
  if (addresses.length === 0) return;
  const inOrder = db
    .select({ mandateId: vaults.mandateId })
    .from(vaults)
    .where(
      and(
        eq(vaults.network, network),
        or(inArray(vaults.address, [...addresses]), inArray(vaults.pocket, [...addresses])),
        ne(vaults.state, "proposed"),
      ),
    )
    .orderBy(asc(vaults.mandateId))
    .for("no key update");
  const marked = await db
    .update(vaults)
    .set({ isStale: true })
    .where(inArray(vaults.mandateId, inOrder))
    .returning({ one: sql`1` });
  if (marked.length > 0) await notify(db, "vault_changed", network);
}

/**
 * Vaults to read now: stale ones; live ones not read since `liveCutoff`; those that have ended at `endedAt` (Unix seconds) and were
 * not read since `retryCutoff`; and those closed after `watchedSince` with a balance below its gas cost and not read since
 * `leftoverCutoff`.
 */
export const listToRead = (
  db: Queryable,
  network: NetworkName,
  {
    liveCutoff,
    endedAt,
    retryCutoff,
    leftoverCutoff,
    watchedSince,
  }: { endedAt: number } & Record<"liveCutoff" | "retryCutoff" | "leftoverCutoff" | "watchedSince", Date>,
  limit: number,
): Promise<VaultRow[]> =>
  db
    .select()
    .from(vaults)
    .where(
      and(
        eq(vaults.network, network),
        or(
          sql`(${vaults.isStale} and ${vaults.state} <> 'proposed')`,
          and(
            sql`${vaults.state} in ('opening', 'open', 'closing')`,
            or(isNull(vaults.readAt), lt(vaults.readAt, liveCutoff)),
          ),
          and(sql`${vaults.state} in ('opening', 'open')`, lte(vaults.endsAt, endedAt), lt(vaults.readAt, retryCutoff)),
          and(
            sql`${vaults.state} in ('closed', 'failed') and (${vaults.balance} > 0 or ${vaults.pocketBalance} > 0)`,
            lt(vaults.readAt, leftoverCutoff),
            gt(vaults.closedAt, watchedSince),
          ),
        ),
      ),
    )
    .orderBy(sql`${vaults.isStale} desc`, sql`${vaults.readAt} nulls first`)
    .limit(limit);

/** The sum of a mandate's payments in blocks up to `block`. */
export async function committedBy(tx: Tx, mandateId: MandateId, block: bigint): Promise<Usdc> {
  const [row] = await tx
    .select({ sum: sql`coalesce(sum(${reservations.amount}), 0)`.mapWith(reservations.amount) })
    .from(reservations)
    .where(
      and(
        eq(reservations.mandateId, mandateId),
        eq(reservations.state, "committed"),
        lte(reservations.blockNumber, block),
      ),
    );
  return row?.sum ?? ZERO;
}

/** Invalidates readings at blocks from `firstBlock` on. */
export async function invalidateReadings(tx: Tx, network: NetworkName, firstBlock: bigint): Promise<void> {
  await tx
    .update(vaults)
    .set({ readBlock: null, isStale: true })
    .where(and(eq(vaults.network, network), gte(vaults.readBlock, firstBlock)));
}

/**
 * A condition for `charging`: by the last reading, the mandate's vault holds `amount` and has released it, after the sums
 * reserved and paid since. Both sums are read from the mandate's row, which the statement locks. `nowSeconds`: a lower bound of
 * the chain's time.
 */
export const covers = (amount: Usdc, released: Usdc, nowSeconds: number): SQL => {
  // Anyone who saw the signature of a failed fill can still submit it.
  const filling = sql`coalesce((select sum(o.amount) from vault_operations o where o.mandate_id = v.mandate_id
    and o.kind = 'fill_pocket' and (o.state in ('waiting', 'sent') or (o.state = 'failed' and o.valid_before > ${nowSeconds}))), 0)`;
  const requiredTotal = sql`(${mandates.pendingAmount} + ${mandates.spentAmount} - v.committed + ${filling} + ${amount.toString()}::numeric)`;
  return sql`exists (select 1 from vaults v where v.mandate_id = ${mandates.id} and v.state = 'open' and v.is_deployed
    and not v.is_revoked and v.read_block is not null and ${requiredTotal} <= v.balance
    and ${requiredTotal} + v.spent <= ${released.toString()}::numeric)`;
};

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
  await addToReturned(tx, await tx.insert(vaultReturns).values(rows).onConflictDoNothing().returning(RETURN), 1n);
}

async function addToReturned(tx: Tx, rows: readonly Return[], sign: 1n | -1n): Promise<void> {
  // A fixed lock order for all processes.
  for (const { mandateId, amount } of rows.toSorted((a, b) => (a.mandateId < b.mandateId ? -1 : 1))) {
    const change = sql`${vaults.returned} + ${(sign * amount).toString()}::numeric`;
    await tx.update(vaults).set({ returned: change }).where(eq(vaults.mandateId, mandateId));
  }
}

/** Deletes the returns of blocks from `firstBlock` on, and has those blocks searched again. */
export async function unwindReturns(tx: Tx, network: NetworkName, firstBlock: bigint): Promise<void> {
  const undone = await tx
    .delete(vaultReturns)
    .where(and(eq(vaultReturns.network, network), gte(vaultReturns.blockNumber, firstBlock)))
    .returning(RETURN);
  await addToReturned(tx, undone, -1n);
  await tx
    .update(vaultSearches)
    .set({ blockNumber: firstBlock - 1n })
    .where(and(eq(vaultSearches.network, network), gte(vaultSearches.blockNumber, firstBlock)));
}
