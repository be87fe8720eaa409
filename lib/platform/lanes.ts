type Lane = { busy: number; waiting: (() => void)[] };

/** Returns a function that runs at most `width` works of a key at once. The others of that key wait, in the order of their calls. */
export function createLanes(width: number): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const lanes = new Map<string, Lane>();
  return async (key, work) => {
    const lane = lanes.get(key) ?? { busy: 0, waiting: [] };
    lanes.set(key, lane);
    if (lane.busy === width) await new Promise<void>((start) => lane.waiting.push(start));
    else lane.busy++;
    try {
      return await work();
    } finally {
      const startNext = lane.waiting.shift();
      if (startNext) startNext();
      else if (--lane.busy === 0) lanes.delete(key);
    }
  };
}
