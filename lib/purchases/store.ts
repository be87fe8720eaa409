import { and, eq, exists, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { PaymentId, PurchaseId } from "@/lib/core/ids";
import { reservations } from "@/lib/mandates/tables";
import { payments } from "@/lib/payments/tables";
import type { Queryable } from "@/lib/platform/db";
import { purchases } from "./tables";

export type Purchase = typeof purchases.$inferSelect;
type PurchaseKey = Pick<Purchase, "agentId" | "keyHash">;

/** False if the key is in use. */
export async function insert(
  db: Queryable,
  row: Pick<Purchase, "id" | "agentId" | "keyHash" | "requestHash" | "heldUntil" | "createdAt">,
): Promise<boolean> {
  const inserted = await db.insert(purchases).values(row).onConflictDoNothing().returning({ id: purchases.id });
  return inserted.length === 1;
}

export async function find(db: Queryable, { agentId, keyHash }: PurchaseKey): Promise<Purchase | null> {
  const [row] = await db
    .select()
    .from(purchases)
    .where(and(eq(purchases.agentId, agentId), eq(purchases.keyHash, keyHash)));
  return row ?? null;
}

/** The purchase of the pass that a call was sent on, or that was bought for it. */
export async function findPassOf(
  db: Queryable,
  { id, passId }: Pick<Purchase, "id" | "passId">,
): Promise<Purchase | null> {
  const [row] = await db
    .select()
    .from(purchases)
    .where(or(eq(purchases.boughtFor, id), passId === null ? undefined : eq(purchases.id, passId)));
  return row ?? null;
}

/** Holds a purchase for one call; null if another call holds it at `time`. */
export async function hold(
  db: Queryable,
  id: PurchaseId,
  { time, heldUntil, requestHash }: { time: Date; heldUntil: Date; requestHash: string },
): Promise<Purchase | null> {
  const [row] = await db
    .update(purchases)
    .set({ heldUntil, requestHash })
    .where(and(eq(purchases.id, id), lte(purchases.heldUntil, time)))
    .returning();
  return row ?? null;
}

/** Releases the hold that ends at `heldUntil`. Does nothing if another call holds the purchase now. */
export async function release(db: Queryable, id: PurchaseId, heldUntil: Date, time: Date): Promise<void> {
  await db
    .update(purchases)
    .set({ heldUntil: time })
    .where(and(eq(purchases.id, id), eq(purchases.heldUntil, heldUntil)));
}

/** Replaces the approval that a purchase without a proof waits for. False if another call holds the purchase now. */
export async function setApproval(
  db: Queryable,
  { id, heldUntil }: Pick<Purchase, "id" | "heldUntil">,
  sealedApproval: string,
): Promise<boolean> {
  const set = await db
    .update(purchases)
    .set({ sealedApproval })
    .where(and(eq(purchases.id, id), eq(purchases.heldUntil, heldUntil), isNull(purchases.sealedProof)))
    .returning({ id: purchases.id });
  return set.length === 1;
}

/**
 * Sets the proof once, for this request. Does nothing if the purchase has a proof or an answer, is for another request, or was sent on a
 * pass.
 */
export async function setProof(
  db: Queryable,
  { id, requestHash }: Pick<Purchase, "id" | "requestHash">,
  proof: Pick<Purchase, "sealedProof" | "boughtFor"> & { paymentId: PaymentId },
): Promise<void> {
  const isFree = and(isNull(purchases.sealedProof), isNull(purchases.sealedAnswer), isNull(purchases.passId));
  await db
    .update(purchases)
    .set(proof)
    .where(and(eq(purchases.id, id), eq(purchases.requestHash, requestHash), isFree));
}

export async function setLastStatus(db: Queryable, id: PurchaseId, lastStatus: number): Promise<void> {
  await db.update(purchases).set({ lastStatus }).where(eq(purchases.id, id));
}

/** Stores the first successful response to the proof. */
export async function setAnswer(db: Queryable, id: PurchaseId, sealedAnswer: string): Promise<void> {
  await db
    .update(purchases)
    .set({ sealedAnswer })
    .where(and(eq(purchases.id, id), isNull(purchases.sealedAnswer)));
}

/** Stores a successful response that required no payment. Does nothing if the purchase has a proof. */
export async function setFreeAnswer(
  db: Queryable,
  { id, requestHash }: Pick<Purchase, "id" | "requestHash">,
  sealedAnswer: string,
): Promise<void> {
  const isFree = and(isNull(purchases.sealedProof), isNull(purchases.sealedAnswer));
  await db
    .update(purchases)
    .set({ sealedAnswer })
    .where(and(eq(purchases.id, id), eq(purchases.requestHash, requestHash), isFree));
}

/** Writes which pass a call is sent on, before it is sent. False if another call holds the purchase now, or has ended it. */
export async function setPass(
  db: Queryable,
  { id, heldUntil }: Pick<Purchase, "id" | "heldUntil">,
  passId: PurchaseId,
): Promise<boolean> {
  const isFree = and(isNull(purchases.sealedProof), isNull(purchases.sealedAnswer));
  const isOnIt = or(isNull(purchases.passId), eq(purchases.passId, passId));
  const set = await db
    .update(purchases)
    .set({ passId })
    .where(and(eq(purchases.id, id), eq(purchases.heldUntil, heldUntil), isFree, isOnIt))
    .returning({ id: purchases.id });
  return set.length === 1;
}

/** Forgets the pass of a call that it did not admit. Does nothing if another call holds the purchase now. */
export async function clearPass(db: Queryable, { id, heldUntil }: Pick<Purchase, "id" | "heldUntil">): Promise<void> {
  await db
    .update(purchases)
    .set({ passId: null })
    .where(and(eq(purchases.id, id), eq(purchases.heldUntil, heldUntil), isNull(purchases.sealedAnswer)));
}

/**
 * Gives the key of a pass, which no caller can name, to the next one. Does nothing while a call holds the pass at `time`, or if it was paid
 * for since it was read.
 */
export async function endPass(
  db: Queryable,
  { id, keyHash, paymentId }: Pick<Purchase, "id" | "keyHash" | "paymentId">,
  time: Date,
): Promise<void> {
  const isSame = paymentId === null ? isNull(purchases.paymentId) : eq(purchases.paymentId, paymentId);
  await db
    .update(purchases)
    .set({ keyHash: id })
    .where(and(eq(purchases.id, id), eq(purchases.keyHash, keyHash), lte(purchases.heldUntil, time), isSame));
}

/**
 * Deletes up to `limit` answers of purchases that no call used after `cutoff` and whose payment, if any, ended before it. The answer of a
 * pass that has not ended has its token, and stays.
 */
export async function forgetAnswers(
  db: Queryable,
  { cutoff, time, limit }: { cutoff: Date; time: Date; limit: number },
): Promise<number> {
  const isPaymentOver = exists(
    db
      .select({ id: payments.id })
      .from(payments)
      .innerJoin(reservations, eq(reservations.id, payments.reservationId))
      .where(and(eq(payments.id, purchases.paymentId), lt(reservations.endedAt, cutoff))),
  );
  const old = db
    .select({ id: purchases.id })
    .from(purchases)
    .where(
      and(
        isNotNull(purchases.sealedAnswer),
        lt(purchases.heldUntil, cutoff),
        or(isNull(purchases.boughtFor), sql`${purchases.keyHash} = ${purchases.id}`),
        or(isNull(purchases.paymentId), isPaymentOver),
      ),
    )
    .limit(limit)
    .for("update", { skipLocked: true });
  const forgotten = await db
    .update(purchases)
    .set({ sealedAnswer: null, answerDeletedAt: time })
    .where(inArray(purchases.id, old))
    .returning({ id: purchases.id });
  return forgotten.length;
}
