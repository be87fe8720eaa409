/**
 * Joins calls that come in one turn of the event loop, or while others are under way, so that many requests at once cost
 * the database one query. An item is never given to a query that has begun: whoever asks sees what was true after they
 * asked. `work` answers in the order of its items; when it fails, everybody in the batch is told.
 */
export function batched<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (reason: unknown) => void };
  let waiting: Waiting[] = [];
  let isBusy = false;

  async function run(): Promise<void> {
    const batch = waiting.slice(0, BATCH_MAX);
    waiting = waiting.slice(BATCH_MAX);
    const goOn = once(() => {
      isBusy = waiting.length > 0;
      if (isBusy) setImmediate(run);
    });
    const patience = setTimeout(goOn, PATIENCE_MS);
    try {
      const results = await work(batch.map(({ item }) => item));
      // `work` answers for every item.
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
    clearTimeout(patience);
    goOn();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      setImmediate(run);
    });
}

const BATCH_MAX = 500;
/** After so long the next ones no longer wait for work that may hang, as a query does on a connection that went dead. */
const PATIENCE_MS = 250;

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
