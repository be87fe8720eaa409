import { add, type Usdc, ZERO } from "@/lib/core/money";
import type { Tx } from "@/lib/platform/db";
import { monthOf } from "../periods";
import type { Change, Held, Move, Reservation } from "./rules";
import * as store from "./store";

/** What counts in the periods of the reservations of one batch, while some of them are counted again. */
export type HeldSums = { of: (r: Reservation) => Held | undefined; add: (r: Reservation) => void };

/** After a reorganisation only: a released reservation counts again. */
export const countsAgain = (move: Move): boolean => move === "reserve_again" || move === "spend";

/** Reads the sums that the changes need: none, unless one is counted again. Its mandates are locked. */
export async function heldBefore(
  tx: Tx,
  changes: readonly { before: Reservation; change: Change }[],
): Promise<HeldSums> {
  const recountedReservations = changes.flatMap(({ before: reservation, change: { move } }) =>
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
