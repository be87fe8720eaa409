import type { Pool } from "pg";
import type { System } from "@/lib/platform/context";

/**
 * The memory of paid calls under way in this process: requests until they are forwarded, answers until the buyer has them. Both are
 * reserved as large as they may become before a payment is claimed, because what is paid must be delivered.
 */
const ROOM_BYTES = { requests: 64 * 1_048_576, answers: 256 * 1_048_576 } as const;
/** One buyer's address and one seller can each take a quarter: both can make calls that last for minutes, and pay themselves. */
const SHARE = 1 / 4;

type Kind = keyof typeof ROOM_BYTES;

/** What one call holds. */
export type Seat = {
  /** Aborts when the process ends before the call. */
  closing: AbortSignal;
  /** Holds `bytes` in place of what it held of this kind. False, with nothing changed, when there is no room. */
  hold: (kind: Kind, bytes: number) => boolean;
  /** Gives everything back. Nothing can be held afterwards. */
  leave: () => void;
};

export function createRoom(limits: Readonly<Record<Kind, number>> = ROOM_BYTES) {
  /** Bytes by kind, and by kind and party. */
  const heldBytes = new Map<string, number>();
  const taken = new Set<AbortController>();
  const add = (key: string, bytes: number): void => {
    const total = (heldBytes.get(key) ?? 0) + bytes;
    if (total === 0) heldBytes.delete(key);
    else heldBytes.set(key, total);
  };
  return {
    /** `parties`: names of those whose share is counted. */
    seat(parties: readonly string[]): Seat {
      const own = new Map<Kind, number>();
      const controller = new AbortController();
      taken.add(controller);
      let hasLeft = false;
      const keysOf = (kind: Kind) => [kind, ...parties.map((party) => `${kind} ${party}`)];
      function change(kind: Kind, bytes: number): void {
        const difference = bytes - (own.get(kind) ?? 0);
        for (const key of keysOf(kind)) add(key, difference);
        own.set(kind, bytes);
      }
      return {
        closing: controller.signal,
        hold(kind, bytes) {
          const difference = bytes - (own.get(kind) ?? 0);
          const isRoom = keysOf(kind).every(
            (key) => (heldBytes.get(key) ?? 0) + difference <= limits[kind] * (key === kind ? 1 : SHARE),
          );
          if (hasLeft || (difference > 0 && !isRoom)) return false;
          change(kind, bytes);
          return true;
        },
        leave() {
          hasLeft = true;
          taken.delete(controller);
          for (const kind of own.keys()) change(kind, 0);
        },
      };
    },
    heldBytes: (kind: Kind): number => heldBytes.get(kind) ?? 0,
    /** Ends all calls. */
    close() {
      for (const controller of taken) controller.abort();
    },
  };
}

/** A process has one database, except in tests. */
const rooms = new WeakMap<Pool, ReturnType<typeof createRoom>>();

/** The room of this process. */
export function roomOf({ db: { $client: pool } }: Pick<System, "db">): ReturnType<typeof createRoom> {
  const room = rooms.get(pool) ?? createRoom();
  rooms.set(pool, room);
  return room;
}
