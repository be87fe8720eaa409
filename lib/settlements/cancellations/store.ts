import { and, asc, eq, inArray, isNull, lte, or } from "drizzle-orm";
import type { Address } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import type { Settlement } from "../store";
import { cancellations, relayerTransactions, settlements } from "../tables";

export type SignedCancellation = typeof cancellations.$inferSelect;
export type WithSettlement = { cancellation: SignedCancellation; settlement: Settlement };

/** Stores a signed cancellation. Replaces only an earlier one that failed; one that is waiting, sent or done is kept. */
export async function request(
  tx: Tx,
  row: Pick<SignedCancellation, "settlementId" | "network" | "signature" | "createdAt">,
): Promise<void> {
  const fresh = { ...row, state: "waiting" as const, signer: null, relayerNonce: null, attempts: 0, retryAt: null };
  await tx
    .insert(cancellations)
    .values(fresh)
    .onConflictDoUpdate({
      target: cancellations.settlementId,
      set: fresh,
      setWhere: eq(cancellations.state, "failed"),
    });
}

/** Assigns the oldest waiting cancellations to one relayer key; two keys never get the same one. */
export async function pick(
  db: Queryable,
  network: NetworkName,
  signer: Address,
  now: Date,
  limit: number,
): Promise<WithSettlement[]> {
  const oldest = db
    .select({ id: cancellations.settlementId })
    .from(cancellations)
    .where(
      and(
        eq(cancellations.network, network),
        eq(cancellations.state, "waiting"),
        or(isNull(cancellations.signer), eq(cancellations.signer, signer)),
        or(isNull(cancellations.retryAt), lte(cancellations.retryAt, now)),
      ),
    )
    .orderBy(asc(cancellations.createdAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  const picked = await db
    .update(cancellations)
    .set({ signer })
    .where(inArray(cancellations.settlementId, oldest))
    .returning({ id: cancellations.settlementId });
  const ids = picked.map(({ id }) => id);
  return db
    .select({ cancellation: cancellations, settlement: settlements })
    .from(cancellations)
    .innerJoin(settlements, eq(settlements.id, cancellations.settlementId))
    .where(inArray(cancellations.settlementId, ids))
    .orderBy(asc(cancellations.createdAt));
}

/** Sent cancellations of this key whose transaction is closed: it was mined and the observer has read its block. */
export async function listMined(db: Queryable, network: NetworkName, signer: Address): Promise<WithSettlement[]> {
  return db
    .select({ cancellation: cancellations, settlement: settlements })
    .from(cancellations)
    .innerJoin(settlements, eq(settlements.id, cancellations.settlementId))
    .innerJoin(
      relayerTransactions,
      and(
        eq(relayerTransactions.network, cancellations.network),
        eq(relayerTransactions.signer, cancellations.signer),
        eq(relayerTransactions.nonce, cancellations.relayerNonce),
        eq(relayerTransactions.isOpen, false),
      ),
    )
    .where(and(eq(cancellations.network, network), eq(cancellations.signer, signer), eq(cancellations.state, "sent")));
}

/** Locks a picked cancellation; false when it is no longer waiting for `signer`. */
export async function lockWaiting(tx: Tx, settlementId: SettlementId, signer: Address): Promise<boolean> {
  const rows = await tx
    .select({ id: cancellations.settlementId })
    .from(cancellations)
    .where(
      and(
        eq(cancellations.settlementId, settlementId),
        eq(cancellations.state, "waiting"),
        eq(cancellations.signer, signer),
      ),
    )
    .for("update");
  return rows.length === 1;
}

export async function change(
  db: Queryable,
  settlementId: SettlementId,
  set: Partial<Omit<SignedCancellation, "settlementId">>,
): Promise<void> {
  await db.update(cancellations).set(set).where(eq(cancellations.settlementId, settlementId));
}
