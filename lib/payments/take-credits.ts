import type { Address } from "@/lib/core/address";
import { AppError } from "@/lib/core/errors";
import type { CreditTransactionId, PaymentId } from "@/lib/core/ids";
import * as credits from "@/lib/credits/service";
import { commitAll } from "@/lib/mandates/reservations/ledger";
import { batched } from "@/lib/platform/batch";
import type { Db, Tx } from "@/lib/platform/db";
import { oncePerProcess } from "@/lib/platform/once-per-process";
import type { Credits } from "@/lib/x402/credits";
import { paymentErrors } from "./errors";
import { recordEnds } from "./events";
import * as store from "./store";

/** What is sold. `add` stores the rows of several sales in the transaction that takes their payments. */
export interface Sold<Row> {
  row: Row;
  add(tx: Tx, rows: readonly Row[]): Promise<void>;
}

export type Taking = { paymentId: PaymentId; service: string; amount: Credits; at: Date; sold: Sold<unknown> };

export type PaidInCredits = { transactionId: CreditTransactionId; payer: Address };

/** "used": this or another request took the payment before. "unknown": its transaction may have been committed. */
export type Taken = PaidInCredits | "used" | "PAYMENT_EXPIRED" | "INSUFFICIENT_CREDITS" | { unknown: unknown };

type Take = (taking: Taking) => Promise<Taken>;
const takers = oncePerProcess("payments.takers", () => new WeakMap<Db, Take>());

/**
 * Takes a payment in service credits once. Payments that are presented at the same time share a transaction, because those
 * of one mandate or owner would wait for each other's locks.
 */
export function takeOnce(db: Db, taking: Taking): Promise<Taken> {
  const take = takers.get(db) ?? batched((takings: readonly Taking[]) => takeTogether(db, takings));
  takers.set(db, take);
  return take(taking);
}

async function takeTogether(db: Db, takings: readonly Taking[]): Promise<Taken[]> {
  let isDecided = false;
  try {
    return await db.transaction(async (tx) => {
      const taken = await takeIn(tx, takings);
      isDecided = true;
      return taken;
    });
  } catch (thrown) {
    if (isDecided) return takings.map(() => ({ unknown: thrown }));
    // Rolled back. In halves, so that the one that failed does not harm the others.
    const half = Math.ceil(takings.length / 2);
    if (takings.length > 1)
      return [...(await takeTogether(db, takings.slice(0, half))), ...(await takeTogether(db, takings.slice(half)))];
    if (AppError.is(thrown) && paymentErrors.insufficient_credits.is(thrown)) return ["INSUFFICIENT_CREDITS"];
    return [{ unknown: thrown }];
  }
}

/** Throws insufficient_credits when one of the owners has too few for all of theirs. */
async function takeIn(tx: Tx, takings: readonly Taking[]): Promise<Taken[]> {
  const at = new Date(Math.max(...takings.map((taking) => taking.at.getTime())));
  const ids = takings.map(({ paymentId }) => paymentId);
  const signed = new Map((await store.listByIds(tx, ids)).map((found) => [found.payment.id, found]));
  // Lock order: reservations, mandates, credits; the observer uses the same.
  const committed = await commitAll(
    tx,
    [...signed.values()].map(({ payment }) => payment.reservationId),
    at,
  );
  const isCommitted = new Set(committed.map(({ reservation }) => reservation.id));
  const first = new Map<PaymentId, Taking>();
  for (const taking of takings) {
    const found = signed.get(taking.paymentId);
    const isMine = found && isCommitted.has(found.payment.reservationId) && !first.has(taking.paymentId);
    if (isMine) first.set(taking.paymentId, taking);
  }
  const spendings = [...first.values()].map(({ paymentId, service, amount }) => {
    const ownerId = signed.get(paymentId)?.ownerId;
    if (!ownerId) throw new Error(`${paymentId} has no owner`);
    return { ownerId, paymentId, service, amount };
  });
  const transactions = await credits.spend(tx, spendings, at);
  if (!transactions) throw paymentErrors.insufficient_credits();
  await recordEnds(tx, committed, at);
  await addAll(
    tx,
    [...first.values()].map(({ sold }) => sold),
  );
  const settled = first.size < takings.length ? await store.settledAmong(tx, ids) : new Set();
  return takings.map((taking): Taken => {
    const { paymentId } = taking;
    const [found, transactionId] = [signed.get(paymentId), transactions.get(paymentId)];
    if (found && transactionId && first.get(paymentId) === taking) return { transactionId, payer: found.payment.payer };
    // Another request committed or released the reservation before.
    return settled.has(paymentId) ? "used" : "PAYMENT_EXPIRED";
  });
}

/** One statement for all rows that are stored in the same way. */
async function addAll(tx: Tx, sold: readonly Sold<unknown>[]): Promise<void> {
  const rows = new Map<Sold<unknown>["add"], unknown[]>();
  for (const { add, row } of sold) rows.set(add, [...(rows.get(add) ?? []), row]);
  for (const [add, these] of rows) await add(tx, these);
}
