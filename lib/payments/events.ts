import type { ChangedReservation } from "@/lib/mandates/reservations/ledger";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { CREDITS } from "@/lib/x402/credits";
import * as store from "./store";

/** Records events for the payments whose reservations changed; ignores the reservations of payouts. */
export async function recordEnds(tx: Tx, changed: readonly ChangedReservation[], time: Date): Promise<void> {
  const changes = new Map(changed.map((change) => [change.reservation.id, change]));
  const owned = await store.listByReservations(tx, [...changes.keys()]);
  const events = owned.flatMap(({ payment, ownerId }) => {
    const change = changes.get(payment.reservationId);
    if (!change) return [];
    const { id: subject, agentId, mandateId, creditPayee, resource, txHash } = payment;
    const amount = payment.amount.toString();
    const paymentEvents: Event[] = [];
    const type = eventType(change);
    if (type !== null) {
      const network = creditPayee === null ? payment.network : CREDITS.network;
      const meta = { mandateId, amount, network, payTo: creditPayee ?? payment.payee, resource, txHash };
      paymentEvents.push({ type, subject, agentId, ownerId, meta });
    }
    if (change.isOverBudget) {
      const meta = { paymentRecordId: subject, amount, move: change.move };
      const overspent = { type: "mandate.budget_exceeded", subject: mandateId ?? subject };
      paymentEvents.push({ ...overspent, agentId, ownerId, meta });
    }
    return paymentEvents;
  });
  await record(tx, time, ...events);
}

/** Null means no event: most unused proofs expire, and a reservation that exceeds its budget is not reopened. */
function eventType({ reservation, move, isOverBudget }: ChangedReservation): `payment.${string}` | null {
  switch (move) {
    case "commit":
    case "spend":
      return "payment.settled";
    case "release":
      return reservation.txHash === null ? null : "payment.cancelled";
    case "uncommit":
      return "payment.reopened";
    case "reserve_again":
      return isOverBudget ? null : "payment.reopened";
    default:
      return move satisfies never;
  }
}
