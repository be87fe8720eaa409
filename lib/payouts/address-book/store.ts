import { and, asc, count as countRows, eq, inArray, sql } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import { reservations } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import { payments } from "@/lib/payments/tables";
import type { Queryable, Tx } from "@/lib/platform/db";
import { settlements } from "@/lib/settlements/tables";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { payoutAddresses } from "../tables";

export type BookEntry = typeof payoutAddresses.$inferSelect;

const isEntry = (ownerId: OwnerId, address: Address) =>
  and(eq(payoutAddresses.ownerId, ownerId), eq(payoutAddresses.address, address));

/** The address that the owner signs in with. */
export async function findLogin(db: Queryable, ownerId: OwnerId): Promise<Address> {
  const [row] = await db.select({ address: owners.address }).from(owners).where(eq(owners.id, ownerId));
  if (!row) throw new Error(`${ownerId} is no owner`);
  return row.address;
}

/** Sorted by name. */
export const list = (db: Queryable, ownerId: OwnerId): Promise<BookEntry[]> =>
  db
    .select()
    .from(payoutAddresses)
    .where(eq(payoutAddresses.ownerId, ownerId))
    .orderBy(asc(sql`lower(${payoutAddresses.name})`), asc(payoutAddresses.address));

/** The `addresses` that are in the owner's address book. */
export async function listNamed(db: Queryable, ownerId: OwnerId, addresses: readonly Address[]): Promise<Address[]> {
  if (addresses.length === 0) return [];
  const rows = await db
    .select({ address: payoutAddresses.address })
    .from(payoutAddresses)
    .where(and(eq(payoutAddresses.ownerId, ownerId), inArray(payoutAddresses.address, [...addresses])));
  return rows.map((row) => row.address);
}

/** Serialises additions to the owner's address book until the end of `tx`; returns its number of entries. */
export async function lockBook(tx: Tx, ownerId: OwnerId): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payout_addresses.${ownerId}`}, 0))`);
  return count(tx, ownerId);
}

export async function count(db: Queryable, ownerId: OwnerId): Promise<number> {
  const [row] = await db
    .select({ entries: countRows() })
    .from(payoutAddresses)
    .where(eq(payoutAddresses.ownerId, ownerId));
  return row?.entries ?? 0;
}

/** Null if the address is already in the book. */
export async function add(tx: Tx, row: BookEntry): Promise<BookEntry | null> {
  const [added] = await tx.insert(payoutAddresses).values(row).onConflictDoNothing().returning();
  return added ?? null;
}

export async function lock(tx: Tx, ownerId: OwnerId, address: Address): Promise<BookEntry | null> {
  const [row] = await tx.select().from(payoutAddresses).where(isEntry(ownerId, address)).for("update");
  return row ?? null;
}

export async function rename(
  db: Queryable,
  ownerId: OwnerId,
  address: Address,
  name: string,
): Promise<BookEntry | null> {
  const [row] = await db.update(payoutAddresses).set({ name }).where(isEntry(ownerId, address)).returning();
  return row ?? null;
}

/** Returns the removed entry; null if there was none. */
export async function remove(db: Queryable, ownerId: OwnerId, address: Address): Promise<BookEntry | null> {
  const [removed] = await db.delete(payoutAddresses).where(isEntry(ownerId, address)).returning();
  return removed ?? null;
}

/**
 * Addresses that the owner's wallets have paid for any purpose: those of `addresses`, and those with the same first and last
 * four digits as one of them.
 */
export async function listPaidLike(
  db: Queryable,
  payers: readonly { network: NetworkName; address: Address }[],
  addresses: readonly Address[],
): Promise<Address[]> {
  const wallets = JSON.stringify(
    payers.map(({ network, address }) => ({ network, asset: NETWORKS[network].usdc, payer: address })),
  );
  const ends = sql.param(addresses.map((address) => `${address.slice(2, 6)}${address.slice(-4)}`.toLowerCase()));
  const { rows } = await db.execute<{ payee: Address }>(sql`
    with own as (
      select network, asset, payer from jsonb_to_recordset(${wallets}::jsonb) as w(network text, asset text, payer text))
    select payee from (
      select s.payee from own join ${settlements} s using (network, asset, payer) where s.state = 'settled'
      union
      select r.payee from own join ${reservations} r using (network, payer) join ${payments} p on p.reservation_id = r.id
        where r.state = 'committed' and p.credit_payee is null
    ) paid where lower(substr(payee, 3, 4) || right(payee, 4)) = any(${ends}::text[])`);
  return rows.map((row) => row.payee);
}
