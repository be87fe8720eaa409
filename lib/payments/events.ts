import type { OwnerId } from "@/lib/core/ids";
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
    return change ? eventsOf(payment, ownerId, change) : [];
  });
  await record(tx, time, ...events);
}

function eventsOf(p: store.Payment, ownerId: OwnerId, change: ChangedReservation): Event[] {
  const type = eventType(change);
  const { id: subject, agentId, mandateId } = p;
  const amount = p.amount.toString();
  const meta = {
    mandateId,
    amount,
    network: p.creditPayee === null ? p.network : CREDITS.network,
    payTo: p.creditPayee ?? p.payee,
    resource: p.resource,
    txHash: p.txHash,
  };
  const exceeded = { paymentRecordId: p.id, amount, move: change.move };
  return [
    ...(type === null ? [] : [{ type, subject, agentId, ownerId, meta }]),
    ...(change.isOverBudget
      ? [{ type: "mandate.budget_exceeded", subject: mandateId ?? subject, agentId, ownerId, meta: exceeded }]
      : []),
  ];
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
