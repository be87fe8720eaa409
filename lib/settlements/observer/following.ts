import type { Chain } from "@/lib/platform/chain";

/** How often a node is asked for its newest block's number while a transaction waits for a block. */
export const FOLLOW_MS = 100;
/** Between two questions a node rests for this many times the duration of its last answer. */
const REST = 2;

type Setting = {
  chain: Pick<Chain, "headNumber">;
  /** The normal pause between two readings, which are never further apart. */
  pollMs: number;
  /** Whether a transaction of ours may be in the next block. */
  isAwaited: () => Promise<boolean>;
  /** Monotonic. */
  nowMs: () => number;
};

/**
 * Decides when the observer reads the chain. While a transaction is awaited it asks a node for the newest block's number several
 * times a second, and the observer reads as soon as there is a new block. Otherwise no question is asked. The number is
 * never believed: a wrong one causes a reading too many, or one that is as late as without it.
 */
export function followHead({ chain, pollMs, isAwaited, nowMs }: Setting) {
  /** The last block read, while one that follows is awaited. */
  let lastBlock: bigint | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** The pause until the next call; null when it is time to read. */
    ask: async (): Promise<number | null> => {
      const last = lastBlock;
      const askedAtMs = nowMs();
      const leftMs = readAtMs + pollMs - askedAtMs;
      // If the question fails, the next round reads.
      lastBlock = null;
      if (last === null || leftMs <= 0) return null;
      if ((await chain.headNumber()) > last) return null;
      lastBlock = last;
      const tookMs = nowMs() - askedAtMs;
      return Math.max(0, Math.min(leftMs - tookMs, Math.max(FOLLOW_MS, REST * tookMs)));
    },
    /** Called when everything up to `block` was read. The pause until the next call. */
    readTo: async (block: bigint): Promise<number> => {
      lastBlock = pollMs > FOLLOW_MS && (await isAwaited()) ? block : null;
      readAtMs = nowMs();
      return lastBlock === null ? pollMs : FOLLOW_MS;
    },
  };
}
