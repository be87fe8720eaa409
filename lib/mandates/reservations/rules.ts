import { add, subtract, type Usdc, ZERO } from "@/lib/core/money";
import type { Cancellation, Transfer } from "@/lib/platform/subscriber";
import { counted, type Day, type Periods } from "../periods";
import { type Budget, remaining } from "../rules";
import type { reservations } from "../tables";

export type Reservation = typeof reservations.$inferSelect;

/**
 * A change of a budget. `commit`: a reserved payment was made. `release`: it can never be made. `uncommit` and
 * `reserve_again`: a reorganisation undid either. `spend`: a payment was made after its reservation was released.
 */
export type Move = "commit" | "release" | "uncommit" | "reserve_again" | "spend";

/** The sums of a day and of its month. */
export type PeriodSums = { day: Usdc; month: Usdc };

/** A reservation to move. `otherSums`: the other sums in its periods, needed when the reservation counts again. */
export type Moving = { amount: Usdc; chargedOn: Day | null; otherSums?: PeriodSums | undefined };

/**
 * The budget after `move`; null when the move exceeds it. `fits` is also false for a transfer that exceeds the budget of a day or
 * month: it is counted, because the money has moved.
 */
export function applyMove<B extends Budget & Periods>(
  b: B,
  move: Move,
  { amount, chargedOn, otherSums }: Moving,
): { budget: B | null; fits: boolean } {
  const { pendingAmount: pending, spentAmount: spent } = b;
  const newAmounts = {
    commit: { pendingAmount: subtract(pending, amount), spentAmount: add(spent, amount) },
    release: { pendingAmount: subtract(pending, amount), spentAmount: spent },
    uncommit: { pendingAmount: add(pending, amount), spentAmount: subtract(spent, amount) },
    reserve_again: { pendingAmount: add(pending, amount), spentAmount: spent },
    spend: { pendingAmount: pending, spentAmount: add(spent, amount) },
  }[move];
  const budget = { ...b, ...newAmounts };
  const isWithin = budget.pendingAmount >= ZERO && budget.spentAmount >= ZERO && remaining(budget) >= ZERO;
  if (!isWithin) return { budget: null, fits: false };
  if (chargedOn === null || move === "commit" || move === "uncommit") return { budget, fits: true };
  if (move === "release") return { budget: counted(budget, chargedOn, -amount), fits: true };
  const { maxAmountPerDay: dayCap, maxAmountPerMonth: monthCap } = b;
  const fits =
    otherSums !== undefined &&
    (dayCap === null || add(otherSums.day, amount) <= dayCap) &&
    (monthCap === null || add(otherSums.month, amount) <= monthCap);
  const isKept = fits || move === "spend";
  return { budget: isKept ? counted(budget, chargedOn, amount) : null, fits };
}

/** The columns that a change writes. */
export type ReservationEnd = Pick<Reservation, "state" | "isSubmitted" | "txHash" | "blockNumber" | "endedAt">;
export type ReservationChange = ReservationEnd & { move: Move };

/** The change that a transfer on the chain causes; null when it is already recorded, because facts may repeat. */
export function afterTransfer(r: Reservation, fact: Transfer): ReservationChange | null {
  // Another authorization used up the payer's nonce, so this one is void.
  if (fact.to !== r.payee || fact.value !== r.amount) return afterCancellation(r, fact);
  if (r.state === "committed") return null;
  return {
    state: "committed",
    isSubmitted: true,
    txHash: fact.txHash,
    blockNumber: fact.block.number,
    endedAt: fact.block.time,
    // A transfer follows a release only after a reorganisation.
    move: r.state === "open" ? "commit" : "spend",
  };
}

export function afterCancellation(r: Reservation, { txHash, block }: Cancellation): ReservationChange | null {
  if (r.state !== "open") return null;
  const end = { isSubmitted: true, txHash, blockNumber: block.number, endedAt: block.time };
  return { ...end, state: "released", move: "release" };
}

/** The change for an authorization that is unused at `block`. Null while a later block could still accept it. */
export function afterExpiry(r: Reservation, block: { number: bigint; time: Date }): ReservationChange | null {
  const isOver = r.validBefore <= BigInt(Math.floor(block.time.getTime() / 1000));
  if (!isOver || r.state !== "open") return null;
  const end = { isSubmitted: r.isSubmitted, txHash: null, blockNumber: block.number, endedAt: block.time };
  return { ...end, state: "released", move: "release" };
}

/** The change for a payment in service credits, which ends in the service's own ledger and in no block. */
export function afterSpending(r: Reservation, time: Date): ReservationChange | null {
  if (r.state !== "open") return null;
  const end = { isSubmitted: true, txHash: null, blockNumber: null, endedAt: time };
  return { ...end, state: "committed", move: "commit" };
}

/** The change for a reservation whose ending block was replaced. */
export function afterUnwinding(r: Reservation): ReservationChange | null {
  if (r.state === "open") return null;
  const reopened = {
    state: "open" as const,
    isSubmitted: r.isSubmitted,
    txHash: null,
    blockNumber: null,
    endedAt: null,
  };
  return { ...reopened, move: r.state === "committed" ? "uncommit" : "reserve_again" };
}
