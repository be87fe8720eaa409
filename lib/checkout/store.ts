import { and, eq, lte } from "drizzle-orm";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { buyerSignIns, paymentIdentifiers } from "./tables";

type Key = { payer: Address; idHash: Hex };

/** Returns false, and writes nothing, when the payer has used the id before. */
export async function addIdentifier(
  tx: Tx,
  row: Key & { settlementId: SettlementId; createdAt: Date },
): Promise<boolean> {
  const added = await tx.insert(paymentIdentifiers).values(row).onConflictDoNothing().returning();
  return added.length > 0;
}

export async function findByIdentifier(db: Queryable, { payer, idHash }: Key): Promise<SettlementId | null> {
  const [row] = await db
    .select({ settlementId: paymentIdentifiers.settlementId })
    .from(paymentIdentifiers)
    .where(and(eq(paymentIdentifiers.payer, payer), eq(paymentIdentifiers.idHash, idHash)));
  return row?.settlementId ?? null;
}

/** Returns false when the challenge was used before. Deletes expired ones. */
export async function addSignIn(db: Queryable, row: typeof buyerSignIns.$inferInsert, now: Date): Promise<boolean> {
  await db.delete(buyerSignIns).where(lte(buyerSignIns.expiresAt, now));
  const added = await db.insert(buyerSignIns).values(row).onConflictDoNothing().returning();
  return added.length > 0;
}
