/**
 * Mining. Blocks are mined on a timer, and shortly after a transaction was sent, never together with it, so that a sent
 * transaction is always pending first.
 */
export type Miner = {
  /** Called when a transaction is sent. */
  sent: () => void;
  /** Mines pending transactions immediately, unless automine is off. */
  mineWaiting: () => Promise<void>;
  hold: (isHeld: boolean) => void;
  isHeld: () => boolean;
  stop: () => void;
};

type Rpc = (method: string, params?: unknown[]) => Promise<unknown>;

const miners = new Map<string, Miner>();

/** Long enough that transactions sent together get into one block. */
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

  /** In sequence: two concurrent calls would mine the same transaction and an extra empty block. */
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
      // Retried if the node did not answer: no other block might follow.
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

/** Must be called for each transaction that is sent to the node at `rpcUrl`. */
export const sentTo = (rpcUrl: string): void => miners.get(rpcUrl)?.sent();

/** Mines the pending transactions on every chain of this file. */
export const minePending = async (): Promise<void> =>
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
