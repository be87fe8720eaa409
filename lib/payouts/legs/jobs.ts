import * as mandates from "@/lib/mandates/service";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type Event, record } from "@/lib/platform/events";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { type Cancellation, keyOf, type Subscriber } from "@/lib/platform/subscriber";
import type { NetworkName } from "@/lib/x402/networks";
import {
  afterCancellation,
  afterTransfer,
  afterUnwinding,
  type Leg,
  type LegChange,
  outcomeOf,
  payoutEvent,
} from "../rules";
import { change, lock } from "../store";
import * as store from "./store";

/** Writes down what the chain shows of legs, and moves their mandates' budgets with them. */
export const subscriber: Subscriber = {
  // Every leg has a settlement, and those are read in full.
  knows: async () => [],
  // Their claim is written by whoever approves the payout.
  claimed: async () => {},

  transferred: async (tx, facts, at) => {
    const byKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
    const moved = await changeAll(tx, await lockOf(tx, facts), at, (leg, key) => {
      const fact = byKey.get(key);
      return fact ? afterTransfer(leg, fact) : null;
    });
    await store.markMoved(tx, moved, at);
  },

  cancelled: async (tx, facts, at) => {
    const byKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
    await changeAll(tx, await lockOf(tx, facts), at, (leg, key) => {
      const fact = byKey.get(key);
      return fact ? afterCancellation(leg, fact) : null;
    });
  },

  unwound: async (tx, network, firstBlock, at) => {
    const reopened = await changeAll(tx, await store.lockShownFrom(tx, network, firstBlock), at, afterUnwinding);
    await store.reopen(tx, reopened);
  },
};

async function lockOf(tx: Tx, facts: readonly Cancellation[]): Promise<store.ClaimedLeg[]> {
  const [first] = facts;
  return first ? store.lockByKeys(tx, first.network, facts) : [];
}

const BATCH = 500;

/**
 * Gives back what is reserved for legs that were not moved and no longer can be: `block`, read in full before, is at or past
 * their validBefore and shows the authorization unused. Returns those that are used and yet open: a node kept their use
 * from the observer.
 */
export async function releaseExpired(
  system: System,
  network: NetworkName,
  block: { number: bigint; time: Date },
): Promise<store.Overdue[]> {
  const spent: store.Overdue[] = [];
  const blockSeconds = Math.floor(block.time.getTime() / 1000);
  let last: store.Overdue | undefined;
  for (;;) {
    const overdue = await store.listOverdue(system.db, network, blockSeconds, last, BATCH);
    last = overdue.at(-1);
    if (!last) return spent;
    const isUsed = await system.chains[network].authorizationStates(overdue);
    const unused = overdue.filter((_, index) => isUsed[index] === false).map((leg) => leg.id);
    spent.push(...overdue.filter((_, index) => isUsed[index] === true));
    if (unused.length > 0) {
      await system.db.transaction(async (tx) =>
        changeAll(tx, await store.lockOpen(tx, unused), system.now(), (leg) => afterCancellation(leg, { block })),
      );
    }
    if (overdue.length < BATCH) return spent;
  }
}

type Changed = store.ClaimedLeg & { change: LegChange };

/**
 * Decides each locked leg by `decide` and writes legs, budgets and events in one go; returns the payouts that were changed. A
 * leg that would have to be reserved again in a budget that was given away meanwhile stays ended: should it be moved after
 * all, it is recorded as such and the excess as an event, because the chain's word stands above a limit.
 */
async function changeAll(
  tx: Tx,
  locked: readonly store.ClaimedLeg[],
  at: Date,
  decide: (leg: Leg, key: string) => LegChange | null,
) {
  const wanted = locked.flatMap((claimed): Changed[] => {
    const { leg, payout, payer: from, nonce } = claimed;
    const change = decide(leg, keyOf({ network: payout.network, from, nonce }));
    return change ? [{ ...claimed, change }] : [];
  });
  if (wanted.length === 0) return [];
  const moves = wanted.flatMap((changed) => {
    const { mandateId } = changed.payout;
    return mandateId ? [{ mandateId, amount: changed.leg.amount, move: changed.change.move, changed }] : [];
  });
  const refused = new Set((await mandates.adjustBudgets(tx, moves)).map((move) => move.changed));
  const written = wanted.filter((changed) => !(refused.has(changed) && changed.change.move === "reserve_again"));
  await store.writeLegs(
    tx,
    written.map(({ leg, change }) => ({
      payout: leg.payout,
      index: leg.index,
      state: change.state,
      blockNumber: change.blockNumber,
    })),
  );
  await record(tx, at, ...[...refused].map(excess));
  return [...new Set(written.map(({ payout }) => payout.id))];
}

const excess = ({ leg, payout: p, change }: Changed): Event => ({
  type: "mandate.budget_exceeded",
  subject: p.mandateId ?? p.id,
  agentId: p.agentId,
  ownerId: p.ownerId,
  meta: { payoutId: p.payoutId, amount: leg.amount.toString(), move: change.move },
});

/**
 * Writes down how payouts ended: failed once a transfer was not made and no longer can be, succeeded once all are made and as
 * deep under other blocks as we are told to wait for, so that what was told once stays true.
 */
export async function finishEnded(system: System, lease: Lease): Promise<void> {
  for (const id of await store.listEnded(system.db, BATCH)) {
    await system.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      // Settlements before payouts, as the observer locks them.
      const { transfers, readTo } = await store.transfersOf(tx, id);
      const payout = await lock(tx, id);
      if (!payout || payout.succeededAt || payout.failedAt) return;
      const outcome = outcomeOf(transfers.map((transfer) => transfer.state));
      const depth = BigInt(system.config.confirmations - 1);
      const isDeep = transfers.every((transfer) => (transfer.blockNumber ?? 0n) + depth <= readTo);
      if (outcome === null || (outcome === "succeeded" && !isDeep)) return;
      const at = system.now();
      await change(tx, id, outcome === "succeeded" ? { succeededAt: at } : { failedAt: at });
      await record(tx, at, payoutEvent(`payout.${outcome}`, payout));
    });
  }
}
