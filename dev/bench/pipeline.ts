import { BATCH_MAX } from "@/lib/settlements/rules";

/**
 * A model of the settlement pipeline in time steps: presented proofs wait, relayer keys take them in batches, blocks include the
 * transactions, the observer reads the blocks. It shows which part fails first at rates beyond this machine's. Networks share
 * nothing, so only one of several equal ones is calculated.
 */
export type Pipeline = {
  presentedPerSecond: number;
  networks: number;
  keysPerNetwork: number;
  blockSeconds: number;
  /** The share of a block's gas that is available to the service. */
  blockGas: number;
};

export type Outcome = {
  presented: number;
  settled: number;
  /** Payments that still wait at the end. */
  waiting: number;
  settledPerSecond: number;
  /** Seconds from presentation to settlement, for payments settled in the second half. */
  median: number;
  p99: number;
  /** In the second half: the used share of the blocks' gas, and the share of blocks that left a transaction out. */
  use: { gas: number; full: number };
  /** Payments in blocks that the observer has not read. */
  unread: number;
};

/** Source: docs.base.org, "Throughput and limits". */
export const BASE = { blockSeconds: 2, blockGas: 400_000_000 };

/** Gas of Circle's token (docs/contracts.md): 86,300 for a single transfer. In a batch, each transfer costs what it stores and verifies. */
const GAS_PER_TRANSACTION = 36_000;
const GAS_PER_TRANSFER = 50_300;
/** Transactions per account that geth's pool always keeps. */
const OPEN_PER_KEY_MAX = 16;
/** Simulate, store, sign, send: two node requests and two database transactions. */
const ROUND_SECONDS = 0.1;
/** The same condition as `isTimeToSend`. */
const WORTH_SENDING = 25;
const WAIT_SECONDS = 0.2;
/** Half of POLL_MILLISECONDS. */
const READ_DELAY_SECONDS = 0.5;
const READ_PER_SECOND = 5_000;

const STEP_SECONDS = 0.05;
const SECONDS = 240;

type Some = { at: number; count: number };
type Transaction = { key: Key; size: number; parts: Some[] };
type Key = { freeAt: number; open: number };

export function simulate({ presentedPerSecond, networks, keysPerNetwork, blockSeconds, blockGas }: Pipeline): Outcome {
  const perStep = (presentedPerSecond / networks) * STEP_SECONDS;
  const keys: Key[] = Array.from({ length: keysPerNetwork }, () => ({ freeAt: 0, open: 0 }));
  const queue = openQueue();
  let pool: Transaction[] = [];
  const unread: { until: number; size: number; parts: Some[] }[] = [];
  const ends: { after: number; count: number }[] = [];
  const sums = { presented: 0, settled: 0, late: 0, gas: 0, full: 0, blocks: 0 };
  let readUntil = 0;
  let due = 0;

  for (let step = 0; step * STEP_SECONDS < SECONDS; step++) {
    const now = step * STEP_SECONDS;
    const isLate = now >= SECONDS / 2;
    due += perStep;
    const arriving = Math.floor(due);
    due -= arriving;
    queue.add({ at: now, count: arriving });
    sums.presented += arriving;

    for (const key of keys) {
      if (key.freeAt > now || key.open >= OPEN_PER_KEY_MAX || !isTimeToSend(queue, key, now)) continue;
      const parts = queue.take(BATCH_MAX);
      pool.push({ key, parts, size: sizeOf(parts) });
      key.open += 1;
      key.freeAt = now + ROUND_SECONDS;
    }

    const isBlock = Math.floor((now + STEP_SECONDS) / blockSeconds) > Math.floor(now / blockSeconds);
    if (isBlock) {
      const { included, gas } = fill(pool, blockGas);
      pool = pool.slice(included.length);
      for (const { key } of included) key.open -= 1;
      const parts = included.flatMap((transaction) => transaction.parts);
      const size = sizeOf(parts);
      readUntil = Math.max(readUntil, now + READ_DELAY_SECONDS) + size / READ_PER_SECOND;
      unread.push({ until: readUntil, size, parts });
      if (isLate) {
        sums.blocks += 1;
        sums.gas += gas / blockGas;
        sums.full += pool.length > 0 ? 1 : 0;
      }
    }

    for (let read = unread[0]; read && read.until <= now; read = unread[0]) {
      const { until, size, parts } = read;
      unread.shift();
      sums.settled += size;
      if (!isLate) continue;
      sums.late += size;
      ends.push(...parts.map(({ at, count }) => ({ after: until - at, count })));
    }
  }
  const at = quantiles(ends);
  return {
    presented: sums.presented * networks,
    settled: sums.settled * networks,
    waiting: (sums.presented - sums.settled) * networks,
    unread: unread.reduce((sum, { size }) => sum + size, 0) * networks,
    settledPerSecond: (sums.late * networks) / (SECONDS / 2),
    median: at(0.5),
    p99: at(0.99),
    use: { gas: sums.gas / sums.blocks, full: sums.full / sums.blocks },
  };
}

const sizeOf = (parts: readonly Pick<Some, "count">[]) => parts.reduce((sum, { count }) => sum + count, 0);

function openQueue() {
  let parts: Some[] = [];
  let first = 0;
  let length = 0;
  return {
    length: () => length,
    oldest: () => parts[first]?.at ?? Number.POSITIVE_INFINITY,
    add(part: Some) {
      if (part.count > 0) parts.push({ ...part });
      length += part.count;
    },
    take(max: number): Some[] {
      const taken: Some[] = [];
      for (let remaining = Math.min(max, length); remaining > 0; ) {
        const part = parts[first];
        if (!part) break;
        const count = Math.min(remaining, part.count);
        taken.push({ at: part.at, count });
        part.count -= count;
        remaining -= count;
        length -= count;
        if (part.count === 0) first += 1;
      }
      if (first > 1_000) {
        parts = parts.slice(first);
        first = 0;
      }
      return taken;
    },
  };
}

function isTimeToSend(queue: ReturnType<typeof openQueue>, key: Key, now: number): boolean {
  if (queue.length() === 0) return false;
  return key.open === 0 || queue.length() >= WORTH_SENDING || now - queue.oldest() >= WAIT_SECONDS;
}

/** The first transactions in the pool that fit into a block. */
function fill(pool: readonly Transaction[], blockGas: number): { included: Transaction[]; gas: number } {
  let gas = 0;
  const end = pool.findIndex(({ size }) => {
    const more = GAS_PER_TRANSACTION + size * GAS_PER_TRANSFER;
    if (gas + more > blockGas) return true;
    gas += more;
    return false;
  });
  return { included: pool.slice(0, end < 0 ? pool.length : end), gas };
}

function quantiles(ends: { after: number; count: number }[]): (share: number) => number {
  const sorted = ends.toSorted((a, b) => a.after - b.after);
  const all = sizeOf(sorted);
  return (share) => {
    let remaining = share * all;
    for (const { after, count } of sorted) {
      remaining -= count;
      if (remaining <= 0) return after;
    }
    return 0;
  };
}

/** The time from presentation to settlement in a pipeline that keeps up. */
const UNDERWAY_SECONDS = 8;

/** What limits a growing backlog; null if there is none. */
export function limitOf({ presented, waiting, unread, use }: Outcome): "gas" | "keys" | "observer" | null {
  if (waiting <= (presented / SECONDS) * UNDERWAY_SECONDS) return null;
  if (unread > waiting / 2) return "observer";
  return use.full > 0.9 ? "gas" : "keys";
}
