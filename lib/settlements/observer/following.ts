import type { Chain } from "@/lib/platform/chain";

/** Interval between requests for the head number while a transaction waits for a block. */
export const FOLLOW_MS = 100;
/** Pause between two requests to a node, as a multiple of its last response time. */
const REST = 2;

type Setting = {
  chain: Pick<Chain, "headNumber">;
  /** The normal pause between two reads, and the longest. */
  pollMs: number;
  /** Whether a relayer transaction may be in the next block. */
  isAwaited: () => Promise<boolean>;
  /** Monotonic. */
  nowMs: () => number;
};

/**
 * Decides when the observer reads the chain. While a transaction is awaited, requests the head number several times a second, and
 * the observer reads as soon as there is a new block. Otherwise sends no requests. The number is only a hint: a wrong one causes
 * one read too many, or a read as late as without it.
 */
export function followHead({ chain, pollMs, isAwaited, nowMs }: Setting) {
  /** The last block read, while a later one is awaited; otherwise null. */
  let lastBlock: bigint | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let wasAwaited = false;
  return {
    /** Returns the pause until the next call, or null when it is time to read. */
    ask: async (): Promise<number | null> => {
      const last = lastBlock;
      const askedAtMs = nowMs();
      const leftMs = readAtMs + pollMs - askedAtMs;
      // If the request fails, the next round reads.
      lastBlock = null;
      wasAwaited = last !== null;
      if (last === null || leftMs <= 0) return null;
      if ((await chain.headNumber()) > last) return null;
      lastBlock = last;
      const tookMs = nowMs() - askedAtMs;
      return Math.max(0, Math.min(leftMs - tookMs, Math.max(FOLLOW_MS, REST * tookMs)));
    },
    /**
     * Call after everything up to `block` was read. `hasChanged`: the block is new, or a message told of a transaction; otherwise none is
     * awaited if none was before. Returns the pause until the next call.
     */
    readTo: async (block: bigint, hasChanged: boolean): Promise<number> => {
      const canBeAwaited = pollMs > FOLLOW_MS && (hasChanged || wasAwaited);
      lastBlock = canBeAwaited && (await isAwaited()) ? block : null;
      readAtMs = nowMs();
      return lastBlock === null ? pollMs : FOLLOW_MS;
    },
  };
}
