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
  stop: () => void;
};

type Rpc = (method: string, params?: unknown[]) => Promise<unknown>;

const miners = new Map<string, Miner>();

/** Long enough for what is sent together to come into one block. */
const PAUSE_MS = 75;

export function startMiner(rpcUrl: string): Miner {
  const rpc = rpcOf(rpcUrl);
  let isHeld = false;
  let isScheduled = false;
  let isStopped = false;
  let mining: Promise<unknown> = Promise.resolve();

  const waiting = async () => Number(((await rpc("txpool_status")) as { pending: string }).pending);

  async function mineOnce(): Promise<void> {
    if (!isHeld && (await waiting()) > 0 && !isHeld) await rpc("evm_mine");
  }

  /** One after the other: two that find the same transaction waiting would mine it and an empty block. */
  function mineWaiting(): Promise<void> {
    const mined = mining.then(mineOnce);
    mining = mined.catch(() => {});
    return mined;
  }

  function schedule(): void {
    if (isHeld || isScheduled || isStopped) return;
    isScheduled = true;
    const mine = async () => {
      isScheduled = false;
      // Asked again where the node did not answer: no block may come by itself.
      await mineWaiting().catch(schedule);
    };
    setTimeout(() => void mine(), PAUSE_MS).unref();
  }

  const miner: Miner = {
    sent: schedule,
    mineWaiting,
    hold: (held) => {
      isHeld = held;
    },
    isHeld: () => isHeld,
    stop: () => {
      isStopped = true;
      miners.delete(rpcUrl);
    },
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
