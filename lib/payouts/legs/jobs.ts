import type { ChangedReservation } from "@/lib/mandates/reservations/ledger";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { keyOf, type Subscriber } from "@/lib/platform/subscriber";
import { knownPayee } from "../address-book/service";
import { outcomeOf, payoutEvent } from "../rules";
import * as store from "../store";

/** Updates payouts after the observer has changed their settlements, in the same transaction. */
export const subscriber: Subscriber = {
  transferred: (tx, facts, time) => store.markStarted(tx, facts, time),
  unwound: (tx, network) => store.reopen(tx, network),
  paidUnsigned: store.sumUnsigned,
  knownPayee,
};

/** Records an event for each payout under a mandate whose transfer exceeded the budget after a reorganisation. */
export async function recordExcess(tx: Tx, changed: readonly ChangedReservation[], time: Date): Promise<void> {
  const excess = changed.filter(({ isOverBudget }) => isOverBudget);
  if (excess.length === 0) return;
  const changes = new Map(excess.map((change) => [keyOf(keyOfReservation(change)), change]));
  const rows = await store.listByKeys(tx, excess.map(keyOfReservation));
  const events = rows.flatMap(({ payout: p, key }) => {
    const change = changes.get(keyOf(key));
    if (!change) return [];
    const meta = { payoutId: p.payoutId, amount: change.reservation.amount.toString(), move: change.move };
    const { agentId, ownerId } = p;
    return [{ type: "mandate.budget_exceeded", subject: p.mandateId ?? p.id, agentId, ownerId, meta }];
  });
  await record(tx, time, ...events);
}

const keyOfReservation = ({ reservation: { network, payer: from, nonce } }: ChangedReservation) => ({
  network,
  from,
  nonce,
});

const BATCH = 500;

/**
 * Records the outcome of payouts whose transfers have all ended: succeeded if all are settled and have CONFIRMATIONS confirmations,
 * so that a reported success stays true; failed if one is void. Returns whether there may be more at once.
 * Why: docs/decisions.md, 72.
 */
export async function finishEnded(system: System, lease: Lease): Promise<boolean> {
  const ended = await store.listEnded(system.db, BATCH);
  let finishedCount = 0;
  for (const id of ended) {
    await system.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      // Lock order: settlements before payouts; the observer uses the same.
      const { transfers, readTo } = await store.transfersOf(tx, id);
      const payout = await store.lock(tx, id);
      if (!payout || payout.succeededAt || payout.failedAt) return;
      const outcome = outcomeOf(transfers.map((transfer) => transfer.state));
      const depth = BigInt(system.config.confirmations - 1);
      const isDeep = transfers.every((transfer) => (transfer.blockNumber ?? 0n) + depth <= readTo);
      if (outcome === null || (outcome === "succeeded" && !isDeep)) return;
      const time = system.now();
      await store.change(tx, id, outcome === "succeeded" ? { succeededAt: time } : { failedAt: time });
      await record(tx, time, payoutEvent(`payout.${outcome}`, payout));
      finishedCount++;
    });
  }
  // Those that are not deep enough yet stay in the list.
  return ended.length === BATCH && finishedCount > 0;
}
