import { eq, inArray } from "drizzle-orm";
import type { MandateId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { vaults } from "@/lib/vaults/tables";

export type Vault = typeof vaults.$inferSelect;
type NewVault = typeof vaults.$inferInsert;

/** The mandate's vault, `fresh` if it had none. */
export async function ensure(db: Queryable, fresh: NewVault): Promise<Vault> {
  await db.insert(vaults).values(fresh).onConflictDoNothing({ target: vaults.mandateId });
  const vault = await find(db, fresh.mandateId);
  if (!vault) throw new Error(`${fresh.mandateId} has no vault`);
  return vault;
}

export async function find(db: Queryable, mandateId: MandateId): Promise<Vault | null> {
  const [row] = await db.select().from(vaults).where(eq(vaults.mandateId, mandateId));
  return row ?? null;
}

export const findAll = (db: Queryable, mandateIds: readonly MandateId[]): Promise<Vault[]> =>
  db
    .select()
    .from(vaults)
    .where(inArray(vaults.mandateId, [...mandateIds]));

/** After the mandate's own lock, if both are needed. */
export async function lock(tx: Tx, mandateId: MandateId): Promise<Vault | null> {
  const [row] = await tx.select().from(vaults).where(eq(vaults.mandateId, mandateId)).for("no key update");
  return row ?? null;
}

export async function change(tx: Queryable, mandateId: MandateId, set: Partial<NewVault>): Promise<void> {
  await tx.update(vaults).set(set).where(eq(vaults.mandateId, mandateId));
}
