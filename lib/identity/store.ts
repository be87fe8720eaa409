import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable, Tx } from "@/lib/platform/db";
import { signingKeys } from "./tables";

export const allKeys = (db: Queryable) => db.select().from(signingKeys).orderBy(asc(signingKeys.activeFrom));

/** Lets one replica at a time change the key ring, until its transaction ends. */
export async function lockKeys(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('identity.signing_keys', 0))`);
}

export async function addKey(tx: Tx, key: typeof signingKeys.$inferInsert): Promise<void> {
  await tx.insert(signingKeys).values(key);
}

export async function retireKey(tx: Tx, kid: string, time: Date): Promise<void> {
  await tx.update(signingKeys).set({ retiredAt: time }).where(eq(signingKeys.kid, kid));
}

export async function activateKey(tx: Tx, kid: string, from: Date): Promise<void> {
  await tx.update(signingKeys).set({ activeFrom: from }).where(eq(signingKeys.kid, kid));
}

export async function dropKeys(tx: Tx, kids: string[]): Promise<void> {
  if (kids.length > 0) await tx.delete(signingKeys).where(inArray(signingKeys.kid, kids));
}
