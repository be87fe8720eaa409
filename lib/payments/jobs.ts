import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import * as mandates from "@/lib/mandates/service";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { keyOf, type Subscriber } from "@/lib/platform/subscriber";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import { CREDITS } from "@/lib/x402/credits";
import type { NetworkName } from "@/lib/x402/networks";
import { afterCancellation, afterExpiry, afterTransfer, afterUnwinding, type Change } from "./rules";
import * as store from "./store";
import type { PaymentStatus } from "./tables";

type Payment = store.Payment;

/** Ends payments by what the chain shows, and moves their mandates' budgets with them. */
export const subscriber: Subscriber = {
  knows: async (db, network, keys) => {
    const known = await store.known(db, keysOn(network, keys));
    return known.map(keyOf);
  },

  claimed: (tx, key) => store.markSubmitted(tx, key),

  transferred: async (tx, facts, at) => {
    const byKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
    await changeAll(tx, await store.lockByKeys(tx, facts), at, (payment) => {
      const fact = byKey.get(keyOfPayment(payment));
      return fact ? afterTransfer(payment, fact) : null;
    });
  },

  cancelled: async (tx, facts, at) => {
    const byKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
    await changeAll(tx, await store.lockByKeys(tx, facts), at, (payment) => {
      const fact = byKey.get(keyOfPayment(payment));
      return fact ? afterCancellation(payment, fact) : null;
    });
  },

  unwound: async (tx, network, firstBlock, at) => {
    await changeAll(tx, await store.lockEndedFrom(tx, network, firstBlock), at, afterUnwinding);
  },
};

const keysOn = (network: NetworkName, keys: { from: Address; nonce: Hex }[]): AuthorizationKey[] =>
  keys.map((key) => ({ network, ...key }));

const BATCH = 500;

/**
 * Gives back what is reserved for proofs that were never used and no longer can be: `block`, read in full before, is at
 * or past their validBefore and shows the authorization unused. Never by our own clock: a chain that stands still could
 * still take the proof. Returns those that are used and yet open: a node kept their use from the observer.
 */
export async function releaseExpired(
  system: System,
  network: NetworkName,
  block: { number: bigint; time: Date },
): Promise<store.Overdue[]> {
  const spent: store.Overdue[] = [];
  const chain = system.chains[network];
  const blockSeconds = Math.floor(block.time.getTime() / 1000);
  let last: store.Overdue | undefined;
  for (;;) {
    const overdue = await store.listOverdue(system.db, network, blockSeconds, last, BATCH);
    last = overdue.at(-1);
    if (!last) return spent;
    const isUsed = await chain.authorizationStates(overdue);
    const unused = overdue.filter((_, index) => isUsed[index] === false).map((payment) => payment.id);
    spent.push(...overdue.filter((_, index) => isUsed[index] === true));
    if (unused.length > 0) {
      await system.db.transaction(async (tx) =>
        changeAll(tx, await store.lockOpen(tx, unused), system.now(), (payment) => afterExpiry(payment, block)),
      );
    }
    if (overdue.length < BATCH) return spent;
  }
}

const keyOfPayment = (p: Payment): string => keyOf({ network: p.network, from: p.payer, nonce: p.nonce });

type Changed = store.Owned & { change: Change };

/**
 * Decides each locked payment by `decide` and writes payments, budgets and events in one go. A payment that would have to
 * be reserved again in a budget that was given away meanwhile stays ended: should it be settled after all, it is recorded
 * as such and the excess as an event, because the chain's word stands above a limit.
 */
export async function changeAll(
  tx: Tx,
  locked: store.Owned[],
  at: Date,
  decide: (payment: Payment) => Change | null,
): Promise<void> {
  const wanted = locked.flatMap((owned): Changed[] => {
    const change = decide(owned.payment);
    return change ? [{ ...owned, change }] : [];
  });
  if (wanted.length === 0) return;
  const moves = wanted.flatMap((changed) => {
    const { mandateId, amount } = changed.payment;
    return mandateId ? [{ mandateId, amount, move: changed.change.move, changed }] : [];
  });
  const refused = new Set((await mandates.adjustBudgets(tx, moves)).map((move) => move.changed));
  const written = wanted.filter((changed) => !(refused.has(changed) && changed.change.move === "reserve_again"));
  await store.writeEndings(
    tx,
    written.map(({ payment, change }) => ({ ...change, id: payment.id })),
  );
  await record(tx, at, ...written.flatMap(told), ...[...refused].map(excess));
}

const EVENT: Record<PaymentStatus, string | null> = {
  settled: "payment.settled",
  cancelled: "payment.cancelled",
  signed: "payment.reopened",
  submitted: "payment.reopened",
  // Most unused proofs end so; nobody needs to be told.
  expired: null,
};

function told({ payment: p, ownerId, change }: Changed): Event[] {
  const type = EVENT[change.status];
  const meta = {
    mandateId: p.mandateId,
    amount: p.amount.toString(),
    network: p.creditPayee === null ? p.network : CREDITS.network,
    payTo: p.creditPayee ?? p.payee,
    resource: p.resource,
    txHash: change.txHash,
  };
  return type ? [{ type, subject: p.id, agentId: p.agentId, ownerId, meta }] : [];
}

const excess = ({ payment: p, ownerId, change }: Changed): Event => ({
  type: "mandate.budget_exceeded",
  subject: p.mandateId ?? p.id,
  agentId: p.agentId,
  ownerId,
  meta: { paymentRecordId: p.id, amount: p.amount.toString(), move: change.move },
});
