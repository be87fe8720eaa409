/**
 * Who mines. Blocks of a test's chain come with the clock, and soon after something was sent, as when the test mined
 * one: never with the transaction itself, so that what was sent is always seen waiting first.
 */
export type Miner = {
  /** Something is on its way into the pool. */
  sent: () => void;
  /** Mines what waits, at once; nothing while blocks are held back. */
  mineWaiting: () => Promise<void>;
  hold: (isHeld: boolean) => void;
  isHeld: () => boolean;
};

type Rpc = (method: string, params?: unknown[]) => Promise<unknown>;

const miners = new Map<string, Miner>();

/** Long enough for what is sent together to come into one block. */
const PAUSE_MS = 75;

export function startMiner(rpcUrl: string): Miner {
  const rpc = rpcOf(rpcUrl);
  let isHeld = false;
  let isScheduled = false;

  async function mineOnce(): Promise<void> {
    if (isHeld) return;
    const { pending } = (await rpc("txpool_status")) as { pending: string };
    if (Number(pending) > 0 && !isHeld) await rpc("evm_mine");
  }

  let last: Promise<void> = Promise.resolve();
  /** One at a time: two that see the same transaction wait would mine an empty block behind its own. */
  function mineWaiting(): Promise<void> {
    last = last.then(mineOnce, mineOnce);
    return last;
  }

  const miner: Miner = {
    sent: () => {
      if (isHeld || isScheduled) return;
      isScheduled = true;
      const mine = () => {
        isScheduled = false;
        // A chain that was stopped meanwhile has nothing left to mine.
        mineWaiting().catch(() => {});
      };
      setTimeout(mine, PAUSE_MS).unref();
    },
    mineWaiting,
    hold: (held) => {
      isHeld = held;
    },
    isHeld: () => isHeld,
  };
  miners.set(rpcUrl, miner);
  return miner;
}

/** Whoever passes a transaction on to the node at `rpcUrl` says so here. */
export const sentTo = (rpcUrl: string): void => miners.get(rpcUrl)?.sent();

/** Mines on every chain of this file what waits there. */
export const mineAllWaiting = async (): Promise<void> =>
  void (await Promise.all([...miners.values()].map((miner) => miner.mineWaiting())));

const rpcOf =
  (url: string): Rpc =>
  async (method, params = []) => {
    const res = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await res.json()) as { result?: unknown; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
