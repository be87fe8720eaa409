import type { MandateId } from "@/lib/core/ids";
import { add, type Usdc, ZERO } from "@/lib/core/money";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { type Cancellation, keyOf, type Subscriber } from "@/lib/platform/subscriber";
import { type DeepBlock, dividedByUse } from "@/lib/settlements/observer/voiding";
import type { NetworkName } from "@/lib/x402/networks";
import { recountCaps } from "../caps/charge";
import { monthOf } from "../periods";
import {
  afterCancellation,
  afterExpiry,
  afterSpending,
  afterTransfer,
  afterUnwinding,
  applyMove,
  type Move,
  type PeriodSums,
  type Reservation,
  type ReservationChange,
} from "./rules";
import * as store from "./store";

/**
 * A reservation after a change. `isOverBudget`: the change exceeded the mandate's budget. A transfer on the chain counts all the
 * same; a reservation to be reopened stays released.
 */
export type ChangedReservation = { reservation: Reservation; move: Move; isOverBudget: boolean };

/** Runs in the transaction of the changes, under their locks: records events of the payments and payouts they belong to. */
export type OnChanged = (tx: Tx, changed: readonly ChangedReservation[], time: Date) => Promise<void>;

/**
 * The only code that ends reservations, and so updates the spent and pending amounts of mandates, from what the chain shows.
 * Why: docs/decisions.md, 393.
 */
export function openLedger(listeners: readonly OnChanged[]) {
  const change = async (
    tx: Tx,
    locked: Reservation[],
    time: Date,
    decide: (r: Reservation) => ReservationChange | null,
  ) => {
    const changed = await changeAll(tx, locked, decide);
    if (changed.length > 0) for (const listener of listeners) await listener(tx, changed, time);
  };
  return { subscriber: subscriberOf(change), releaseExpired: expiryOf(change) };
}

type ChangeLocked = (
  tx: Tx,
  locked: Reservation[],
  time: Date,
  decide: (r: Reservation) => ReservationChange | null,
) => Promise<void>;

function subscriberOf(change: ChangeLocked): Subscriber {
  const byFact = async <F extends Cancellation>(
    tx: Tx,
    facts: F[],
    time: Date,
    decide: (r: Reservation, fact: F) => ReservationChange | null,
  ) => {
    const byKey = new Map(facts.map((fact) => [keyOf(fact), fact]));
    await change(tx, await store.lockByKeys(tx, facts), time, (r) => {
      const fact = byKey.get(keyOf({ network: r.network, from: r.payer, nonce: r.nonce }));
      return fact ? decide(r, fact) : null;
    });
  };
  return {
    knows: async (db, network, keys) => {
      const reservedKeys = await store.findReservedKeys(
        db,
        keys.map((key) => ({ network, ...key })),
      );
      return reservedKeys.map(keyOf);
    },
    claimed: (tx, keys) => store.markSubmitted(tx, keys),
    transferred: (tx, facts, time) => byFact(tx, facts, time, afterTransfer),
    cancelled: (tx, facts, time) => byFact(tx, facts, time, afterCancellation),
    unwound: async (tx, network, firstBlock, time) =>
      change(tx, await store.lockEndedFrom(tx, network, firstBlock), time, afterUnwinding),
  };
}

const BATCH = 500;

/**
 * Releases reservations whose proof was never used and no longer can be: `block`, read in full, is at or past their validBefore
 * and shows the authorization unused. The service's own clock does not count: a stalled chain could still accept the proof.
 * Returns used ones that are still open: a node withheld their use from the observer.
 */
const expiryOf =
  (change: ChangeLocked) =>
  async (system: System, network: NetworkName, block: DeepBlock): Promise<store.OverdueReservation[]> => {
    const spent: store.OverdueReservation[] = [];
    const blockSeconds = Math.floor(block.time.getTime() / 1000);
    let last: store.OverdueReservation | undefined;
    for (;;) {
      const overdue = await store.listOverdue(system.db, network, blockSeconds, last, BATCH);
      last = overdue.at(-1);
      if (!last) return spent;
      const { used, unused } = await dividedByUse(system, network, overdue, block);
      spent.push(...used);
      if (unused.length > 0) {
        const ids = unused.map(({ id }) => id);
        await system.db.transaction(async (tx) =>
          change(tx, await store.lockOpen(tx, ids), system.now(), (r) => afterExpiry(r, block)),
        );
      }
      if (overdue.length < BATCH) return spent;
    }
  };

/**
 * Commits reservations of payments in service credits: those of `ids` that are open and that `choose` returns. `choose` runs
 * while they and their mandates are locked.
 */
export async function commitAll(
  tx: Tx,
  ids: readonly number[],
  time: Date,
  choose: (open: ReadonlySet<number>) => Promise<ReadonlySet<number>>,
): Promise<ChangedReservation[]> {
  const open = await store.lockOpen(tx, ids);
  if (open.length === 0) return [];
  const mandates = new Set(open.flatMap(({ mandateId }) => mandateId ?? []));
  if (mandates.size > 0) await store.lockBudgets(tx, [...mandates]);
  const chosen = await choose(new Set(open.map(({ id }) => id)));
  return changeAll(
    tx,
    open.filter(({ id }) => chosen.has(id)),
    (r) => afterSpending(r, time),
  );
}

/** Applies `decide` to each locked reservation and writes reservations and budgets. */
async function changeAll(
  tx: Tx,
  locked: readonly Reservation[],
  decide: (r: Reservation) => ReservationChange | null,
): Promise<ChangedReservation[]> {
  const changes = locked.flatMap((reservation) => {
    const change = decide(reservation);
    return change ? [{ reservation, change }] : [];
  });
  if (changes.length === 0) return [];
  const ids = new Set(changes.flatMap(({ reservation }) => reservation.mandateId ?? []));
  const budgets = new Map<MandateId, store.BudgetRow>();
  if (ids.size > 0) for (const budget of await store.lockBudgets(tx, [...ids])) budgets.set(budget.id, budget);
  const heldSums = await readHeldSums(tx, changes);
  const changed = changes.map(({ reservation, change: { move, ...end } }): ChangedReservation => {
    const isOverBudget = !charge(budgets, reservation, move, heldSums);
    const isKept = isOverBudget && move === "reserve_again";
    return { reservation: isKept ? reservation : { ...reservation, ...end }, move, isOverBudget };
  });
  await store.writeBudgets(tx, [...budgets.values()]);
  await store.writeEnds(
    tx,
    changed.map(({ reservation }) => reservation),
  );
  await recountCaps(
    tx,
    changed.flatMap(({ reservation: { walletId, agentId, amount, chargedHour, state } }, index) => {
      const wasReleased = changes[index]?.reservation.state === "released";
      const isReleased = state === "released";
      if (chargedHour === null || wasReleased === isReleased) return [];
      return [{ walletId, agentId, hour: chargedHour, change: isReleased ? -amount : amount }];
    }),
  );
  return changed;
}

/** Applies a move to the budget of the reservation's mandate, if it has one. False when the move exceeds the budget. */
function charge(
  budgets: Map<MandateId, store.BudgetRow>,
  reservation: Reservation,
  move: Move,
  heldSums: HeldSums,
): boolean {
  const { mandateId, amount, chargedOn } = reservation;
  if (mandateId === null) return true;
  const currentBudget = budgets.get(mandateId);
  if (!currentBudget) return false;
  const { budget, fits } = applyMove(currentBudget, move, { amount, chargedOn, otherSums: heldSums.of(reservation) });
  if (!budget) return false;
  budgets.set(mandateId, budget);
  if (countsAgain(move)) heldSums.add(reservation);
  return fits;
}

/** The day and month sums of a batch's reservations, updated as reservations count again. */
type HeldSums = { of: (r: Reservation) => PeriodSums | undefined; add: (r: Reservation) => void };

/** After a reorganisation only: a released reservation counts again. */
const countsAgain = (move: Move): boolean => move === "reserve_again" || move === "spend";

/** Reads the sums that the changes need; none unless a reservation counts again. The caller has locked the mandates. */
async function readHeldSums(
  tx: Tx,
  changes: readonly { reservation: Reservation; change: ReservationChange }[],
): Promise<HeldSums> {
  const recountedReservations = changes.flatMap(({ reservation, change: { move } }) =>
    reservation.chargedOn !== null && countsAgain(move) ? [reservation] : [],
  );
  const sums = new Map<string, Usdc>();
  if (recountedReservations.length > 0) {
    const sumsById = await store.heldInPeriods(
      tx,
      recountedReservations.map(({ id }) => id),
    );
    for (const r of recountedReservations) {
      const { day = ZERO, month = ZERO } = sumsById.get(r.id) ?? {};
      const keys = keysOf(r);
      if (keys) sums.set(keys.day, day).set(keys.month, month);
    }
  }
  return {
    of: (r) => {
      const keys = keysOf(r);
      return keys && { day: sums.get(keys.day) ?? ZERO, month: sums.get(keys.month) ?? ZERO };
    },
    add: (r) => {
      const keys = keysOf(r);
      for (const key of keys ? [keys.day, keys.month] : []) sums.set(key, add(sums.get(key) ?? ZERO, r.amount));
    },
  };
}

const keysOf = ({ mandateId, chargedOn }: Reservation) =>
  chargedOn === null ? undefined : { day: `${mandateId} ${chargedOn}`, month: `${mandateId} ${monthOf(chargedOn)}` };
