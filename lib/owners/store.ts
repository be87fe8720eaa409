import { and, eq, gt, lte } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { OwnerId } from "@/lib/core/ids";
import type { Queryable } from "@/lib/platform/db";
import { owners, siweNonces } from "./tables";

/** Adds a nonce, and deletes expired ones. */
export async function addNonce(db: Queryable, row: typeof siweNonces.$inferInsert, now: Date): Promise<void> {
  await db.delete(siweNonces).where(lte(siweNonces.expiresAt, now));
  await db.insert(siweNonces).values(row);
}

/** Uses the nonce up. False when the service did not issue it, it was used or it has expired. */
export async function takeNonce(db: Queryable, nonce: string, now: Date): Promise<boolean> {
  const rows = await db
    .delete(siweNonces)
    .where(and(eq(siweNonces.nonce, nonce), gt(siweNonces.expiresAt, now)))
    .returning({ nonce: siweNonces.nonce });
  return rows.length > 0;
}

export async function isKnown(db: Queryable, address: Address): Promise<boolean> {
  const [row] = await db.select({ id: owners.id }).from(owners).where(eq(owners.address, address));
  return row !== undefined;
}

/** The owner with this address; created with `newId` if there is none. */
export async function signIn(db: Queryable, address: Address, newId: OwnerId, time: Date): Promise<OwnerId> {
  const [row] = await db
    .insert(owners)
    .values({ id: newId, address, createdAt: time, lastSignInAt: time })
    .onConflictDoUpdate({ target: owners.address, set: { lastSignInAt: time } })
    .returning({ id: owners.id });
  return row?.id ?? newId;
}
