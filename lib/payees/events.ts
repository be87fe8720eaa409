import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import type { Payee } from "./rules";

const eventOf = (type: string, payee: Payee): Event => {
  const { id: subject, ownerId, agentId, mandateId, origin, network, payee: payTo } = payee;
  const { previousPayee: previousPayTo, confirmedBy, why: reason } = payee;
  return {
    type,
    subject,
    ownerId,
    agentId,
    meta: { mandateId, origin, network, payTo, previousPayTo, by: confirmedBy, why: reason },
  };
};

/** Also records `payee.changed` if another address was confirmed for the host before. */
export const recordConfirmed = (tx: Tx, time: Date, payee: Payee): Promise<void> => {
  const isChange = payee.previousPayee !== null;
  return record(tx, time, eventOf("payee.confirmed", payee), ...(isChange ? [eventOf("payee.changed", payee)] : []));
};

export const recordRequested = (tx: Tx, time: Date, payee: Payee): Promise<void> =>
  record(tx, time, eventOf("payee.requested", payee));

export const recordRefused = (tx: Tx, time: Date, payee: Payee): Promise<void> =>
  record(tx, time, eventOf("payee.refused", payee));
