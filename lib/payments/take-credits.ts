import type { Address } from "@/lib/core/address";
import type { CreditTransactionId, PaymentId } from "@/lib/core/ids";
import * as credits from "@/lib/credits/service";
import { commitAll } from "@/lib/mandates/reservations/ledger";
import { batchedOn } from "@/lib/platform/batch";
import { type Db, isDatabaseDown, type Tx } from "@/lib/platform/db";
import type { Credits } from "@/lib/x402/credits";
import { recordEnds } from "./events";
import * as store from "./store";

/** The row of a sale. `add` stores the rows of several sales in the transaction that takes their payments. */
export interface Sold<Row> {
  row: Row;
  add(tx: Tx, rows: readonly Row[]): Promise<void>;
}

export type Taking = { paymentId: PaymentId; service: string; amount: Credits; at: Date; sold: Sold<unknown> };

export type PaidInCredits = { transactionId: CreditTransactionId; payer: Address };

export type Taken =
  | { type: "taken"; paid: PaidInCredits }
  /** This or another request took the payment before. */
  | { type: "used" }
  | { type: "refused"; code: "PAYMENT_EXPIRED" | "INSUFFICIENT_CREDITS" }
  /** Its transaction may have been committed. */
  | { type: "unknown"; cause: unknown };

/**
 * Takes a payment in service credits once. Payments that are presented at the same time share a transaction, because those
 * of one mandate or owner would wait for each other's locks.
 */
export const takeOnce = batchedOn(
  (db) =>
    (takings: readonly Taking[]): Promise<Taken[]> =>
      takeTogether(db, takings),
);

async function takeTogether(db: Db, takings: readonly Taking[]): Promise<Taken[]> {
  let isDecided = false;
  try {
    return await db.transaction(async (tx) => {
      const outcomes = await takeIn(tx, takings);
      isDecided = true;
      return outcomes;
    });
  } catch (error) {
    if (isDecided || takings.length === 1 || isDatabaseDown(error))
      return takings.map(() => ({ type: "unknown", cause: error }));
    // Rolled back. Retries in halves, so that the failing payment does not affect the others.
    const half = Math.ceil(takings.length / 2);
    return [...(await takeTogether(db, takings.slice(0, half))), ...(await takeTogether(db, takings.slice(half)))];
  }
}

async function takeIn(tx: Tx, takings: readonly Taking[]): Promise<Taken[]> {
  const time = new Date(Math.max(...takings.map((taking) => taking.at.getTime())));
  const ids = takings.map(({ paymentId }) => paymentId);
  const signed = new Map(
    (await store.listByIds(tx, ids)).map((ownedPayment) => [ownedPayment.payment.id, ownedPayment]),
  );
  const first = new Map<PaymentId, Taking>();
  for (const taking of takings) if (!first.has(taking.paymentId)) first.set(taking.paymentId, taking);
  const reservationOf = (id: PaymentId) => signed.get(id)?.payment.reservationId;
  let spendings: readonly credits.Spending[] = [];
  const isShort = new Set<PaymentId>();
  // Lock order: reservations, mandates, credits; the observer uses the same.
  const committed = await commitAll(
    tx,
    [...signed.values()].map(({ payment }) => payment.reservationId),
    time,
    async (open) => {
      const candidates = [...first.values()].flatMap(({ paymentId, service, amount }) => {
        const ownedPayment = signed.get(paymentId);
        if (!ownedPayment || !open.has(ownedPayment.payment.reservationId)) return [];
        if (!ownedPayment.ownerId) throw new Error(`${paymentId} has no owner`);
        return [{ ownerId: ownedPayment.ownerId, paymentId, service, amount }];
      });
      spendings = await credits.affordable(tx, candidates);
      const isPaid = new Set(spendings.map(({ paymentId }) => paymentId));
      for (const { paymentId } of candidates) if (!isPaid.has(paymentId)) isShort.add(paymentId);
      return new Set(spendings.flatMap(({ paymentId }) => reservationOf(paymentId) ?? []));
    },
  );
  const transactions = await credits.spend(tx, spendings, time);
  await recordEnds(tx, committed, time);
  await addAll(
    tx,
    spendings.flatMap(({ paymentId }) => first.get(paymentId)?.sold ?? []),
  );
  const settled = spendings.length < takings.length ? await store.settledAmong(tx, ids) : new Set();
  return takings.map((taking): Taken => {
    const { paymentId } = taking;
    const [ownedPayment, transactionId] = [signed.get(paymentId), transactions.get(paymentId)];
    if (ownedPayment && transactionId && first.get(paymentId) === taking)
      return { type: "taken", paid: { transactionId, payer: ownedPayment.payment.payer } };
    if (isShort.has(paymentId)) return { type: "refused", code: "INSUFFICIENT_CREDITS" };
    // Another request committed or released the reservation before.
    return settled.has(paymentId) ? { type: "used" } : { type: "refused", code: "PAYMENT_EXPIRED" };
  });
}

/** Calls each `add` once, with all its rows. */
async function addAll(tx: Tx, sales: readonly Sold<unknown>[]): Promise<void> {
  const rows = new Map<Sold<unknown>["add"], unknown[]>();
  for (const { add, row } of sales) rows.set(add, [...(rows.get(add) ?? []), row]);
  for (const [add, these] of rows) await add(tx, these);
}
