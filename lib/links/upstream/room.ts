import type { Pool } from "pg";
import type { System } from "@/lib/platform/context";

/**
 * The memory of paid calls under way in this process: requests as they arrive until they are answered, answers until the buyer has them.
 * An answer is reserved as large as it may become before a payment is claimed, because what is paid must be delivered.
 */
const ROOM_BYTES = { requests: 64 * 1_048_576, answers: 256 * 1_048_576 } as const;
type Kind = keyof typeof ROOM_BYTES;
/** Who makes a call: a client address, an owner, and the pass that it is made on. */
type Parties = { buyer: string; seller: string; pass?: string | undefined };

/**
 * What one of them can take of each kind: both can make calls that last for minutes, and pay themselves. A request is sent before it is
 * paid, so no address alone can take all of its seller's room. A pass is paid once for many calls.
 */
const SHARES = {
  requests: { buyer: 1 / 8, seller: 1 / 4, pass: 1 / 8 },
  answers: { buyer: 1 / 4, seller: 1 / 4, pass: 1 / 8 },
} as const satisfies Record<Kind, Record<keyof Parties, number>>;

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
    seat({ buyer, seller, pass }: Parties): Seat {
      const own = new Map<Kind, number>();
      const controller = new AbortController();
      taken.add(controller);
      let hasLeft = false;
      const partsOf = (kind: Kind): [key: string, share: number][] => [
        [kind, 1],
        [`${kind} buyer ${buyer}`, SHARES[kind].buyer],
        [`${kind} seller ${seller}`, SHARES[kind].seller],
        ...(pass === undefined ? [] : [[`${kind} pass ${pass}`, SHARES[kind].pass] satisfies [string, number]]),
      ];
      function change(kind: Kind, bytes: number): void {
        const difference = bytes - (own.get(kind) ?? 0);
        for (const [key] of partsOf(kind)) add(key, difference);
        own.set(kind, bytes);
      }
      return {
        closing: controller.signal,
        hold(kind, bytes) {
          const difference = bytes - (own.get(kind) ?? 0);
          const isRoom = partsOf(kind).every(
            ([key, share]) => (heldBytes.get(key) ?? 0) + difference <= limits[kind] * share,
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
