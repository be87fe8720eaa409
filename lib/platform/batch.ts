import { type Db, isDatabaseDown, type Tx } from "./db";

/**
 * Joins concurrent calls into one query: calls in the same turn of the event loop, and calls that arrive while a batch
 * runs, at most `itemsMax`. An item never joins a query that has already started, so each caller reads a state no older than its call.
 * `work` returns results in the order of its items; some may still be under way. If it fails, every caller in the batch gets the error.
 */
export function createBatcher<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  itemsMax = BATCH_MAX,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result | Promise<Result>) => void; reject: (reason: unknown) => void };
  let waiting: Waiting[] = [];
  let isBusy = false;

  async function run(): Promise<void> {
    const batch = waiting.slice(0, itemsMax);
    waiting = waiting.slice(itemsMax);
    let hasGoneOn = false;
    const goOn = () => {
      if (hasGoneOn) return;
      hasGoneOn = true;
      isBusy = waiting.length > 0;
      if (isBusy) setImmediate(run);
    };
    const patience = setTimeout(goOn, PATIENCE_MS);
    try {
      const results = await work(batch.map(({ item }) => item));
      // `work` returns one result per item.
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
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

/** `createBatcher` with separate batches for each database. Calls `workOn` once for each database. */
export function batchedOn<Item, Result>(
  workOn: (db: Db) => (items: readonly Item[]) => Promise<readonly Result[]>,
): (db: Db, item: Item) => Promise<Result> {
  const batchers = new WeakMap<Db, (item: Item) => Promise<Result>>();
  return (db, item) => {
    const one = batchers.get(db) ?? createBatcher(workOn(db));
    batchers.set(db, one);
    return one(item);
  };
}

/** `batchedOn` with separate batches for each key: what one of them waits for delays no other one. */
export function batchedBy<Item, Result>(
  keyOf: (item: Item) => string,
  workOn: (db: Db) => (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  itemsMax = BATCH_MAX,
): (db: Db, item: Item) => Promise<Result> {
  type Batcher = { call: (item: Item) => Promise<Result>; underWay: number };
  const allBatchers = new WeakMap<Db, Map<string, Batcher>>();
  return async (db, item) => {
    const batchers = allBatchers.get(db) ?? new Map<string, Batcher>();
    allBatchers.set(db, batchers);
    const key = keyOf(item);
    const batcher = batchers.get(key) ?? { call: createBatcher(workOn(db), itemsMax), underWay: 0 };
    batchers.set(key, batcher);
    batcher.underWay += 1;
    try {
      return await batcher.call(item);
    } finally {
      batcher.underWay -= 1;
      if (batcher.underWay === 0) batchers.delete(key);
    }
  };
}

/**
 * Does `work` for all of `items` in one transaction of `db`. If that is rolled back, it is done again in halves, so that an item that fails
 * does not affect the others. `failed` makes the outcome of an item that fails alone, and of those whose transaction may have been
 * committed. `work` returns one outcome per item.
 */
export async function transactTogether<Item, Outcome>(
  db: Db,
  items: readonly Item[],
  work: (tx: Tx, items: readonly Item[]) => Promise<readonly Outcome[]>,
  failed: (error: unknown, item: Item) => Outcome,
): Promise<readonly Outcome[]> {
  let isDecided = false;
  try {
    return await db.transaction(async (tx) => {
      const outcomes = await work(tx, items);
      isDecided = true;
      return outcomes;
    });
  } catch (error) {
    if (isDecided || items.length === 1 || isDatabaseDown(error)) return items.map((item) => failed(error, item));
    const half = Math.ceil(items.length / 2);
    return [
      ...(await transactTogether(db, items.slice(0, half), work, failed)),
      ...(await transactTogether(db, items.slice(half), work, failed)),
    ];
  }
}

/** The row of each of `keys`, in their order; null where there is none. */
export function inOrder<Key, Row>(
  keys: readonly Key[],
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key) ?? null);
}

const BATCH_MAX = 500;
/** After this time the next batch starts even if this one hangs, as a query on a dead connection does. */
const PATIENCE_MS = 250;
