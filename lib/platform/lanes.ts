import { CONNECT_MS_MAX } from "./db";

/** A work waited as long as it would for a connection to the database, and was not begun. */
export class LaneBusy extends Error {
  override name = "LaneBusy";
}

type Lane = { busy: number; waiting: Set<() => void> };

/**
 * Returns a function that runs at most `width` works of a key at once. The others of that key wait, in the order of their calls. Throws
 * LaneBusy.
 */
export function createLanes(width: number): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const lanes = new Map<string, Lane>();
  return async (key, work) => {
    const lane = lanes.get(key) ?? { busy: 0, waiting: new Set() };
    lanes.set(key, lane);
    if (lane.busy === width) await turnIn(lane);
    else lane.busy++;
    try {
      return await work();
    } finally {
      const [startNext] = lane.waiting;
      if (startNext) startNext();
      else if (--lane.busy === 0) lanes.delete(key);
    }
  };
}

/** Resolves once a work that has ended leaves its place. */
const turnIn = ({ waiting }: Lane): Promise<void> =>
  new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      waiting.delete(start);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(start);
      reject(new LaneBusy());
    }, CONNECT_MS_MAX);
    waiting.add(start);
  });
