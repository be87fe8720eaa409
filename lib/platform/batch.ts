/**
 * Joins calls that come while others are under way, so that many requests at once cost the database one query. An item
 * is never given to a query that has begun: whoever asks sees what was true after they asked. `work` answers in the order
 * of its items; when it fails, everybody in the batch is told.
 */
export function batched<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (reason: unknown) => void };
  let waiting: Waiting[] = [];
  let underway = 0;

  async function start(): Promise<void> {
    const batch = waiting.slice(0, BATCH_MAX);
    waiting = waiting.slice(BATCH_MAX);
    underway += 1;
    try {
      const results = await work(batch.map(({ item }) => item));
      // `work` answers for every item.
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    } finally {
      underway -= 1;
      if (waiting.length > 0) void start();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underway < UNDERWAY_MAX) void start();
    });
}

const BATCH_MAX = 500;
/** One more than one, so that a slow statement does not hold everybody up. */
const UNDERWAY_MAX = 2;
