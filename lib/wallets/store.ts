import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { OwnerId, WalletId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import { wallets } from "./tables";

export type Wallet = typeof wallets.$inferSelect;

export const spendingOf = (db: Queryable, ownerId: OwnerId): Promise<Wallet[]> =>
  db
    .select()
    .from(wallets)
    .where(and(eq(wallets.ownerId, ownerId), eq(wallets.purpose, "spending")));

/** Adds missing rows: an owner has one spending wallet per network. */
export async function add(db: Queryable, rows: (typeof wallets.$inferInsert)[]): Promise<void> {
  await db.insert(wallets).values(rows).onConflictDoNothing();
}

export async function find(db: Queryable, id: WalletId): Promise<Wallet | null> {
  const [row] = await db.select().from(wallets).where(eq(wallets.id, id));
  return row ?? null;
}

/** The wallet with this address, and the address that its owner signs in with. */
export async function findAt(
  db: Queryable,
  address: Address,
): Promise<{ wallet: Wallet; ownerAddress: Address } | null> {
  const [row] = await db
    .select({ wallet: wallets, ownerAddress: owners.address })
    .from(wallets)
    .innerJoin(owners, eq(owners.id, wallets.ownerId))
    .where(eq(wallets.address, address));
  return row ?? null;
}

/**
 * Locks the wallet until `tx` ends: what is paid from it is counted one after the other, and its caps stay as they are. After its
 * mandates, before its caps.
 */
export async function lock(tx: Tx, id: WalletId): Promise<Wallet> {
  const [row] = await tx.select().from(wallets).where(eq(wallets.id, id)).for("no key update");
  if (!row) throw new Error(`there is no ${id}`);
  return row;
}

/** `lock` for several, in a fixed order. */
export const lockAll = (tx: Tx, ids: readonly WalletId[]): Promise<Wallet[]> =>
  tx
    .select()
    .from(wallets)
    .where(inArray(wallets.id, [...ids]))
    .orderBy(asc(wallets.id))
    .for("no key update");

export async function raiseCapsRevision(tx: Tx, id: WalletId): Promise<void> {
  await tx
    .update(wallets)
    .set({ capsRevision: sql`${wallets.capsRevision} + 1` })
    .where(eq(wallets.id, id));
}

/** The owner's lists of payees have changed. */
export async function raisePayeesRevision(tx: Tx, ownerId: OwnerId): Promise<void> {
  await tx
    .update(wallets)
    .set({ payeesRevision: sql`${wallets.payeesRevision} + 1` })
    .where(eq(wallets.ownerId, ownerId));
}

/** All owners' spending addresses on `network`, for joins in other domains' queries. */
export const spendingAddresses = (db: Queryable, network: NetworkName) =>
  db
    .select({ ownerId: wallets.ownerId, address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.network, network), eq(wallets.purpose, "spending")))
    .as("spending");

/** `spendingAddresses` on every network. */
export const allSpendingAddresses = (db: Queryable) =>
  db
    .select({ ownerId: wallets.ownerId, network: wallets.network, address: wallets.address })
    .from(wallets)
    .where(eq(wallets.purpose, "spending"))
    .as("spending");
