import type { Hex } from "viem";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Queryable, Tx } from "@/lib/platform/db";
import type { NetworkName } from "@/lib/x402/networks";
import * as store from "../store";

type Named = { number: bigint; hash: Hex };

/** The newest block that the observer has read. */
export const readUpTo = ({ db }: System, network: NetworkName): Promise<store.ChainCursor | null> =>
  store.cursor(db, network);

/** Whether `block` is the newest block that the observer has read. */
export async function isNewest(db: Queryable, network: NetworkName, block: bigint): Promise<boolean> {
  const cursor = await store.cursor(db, network);
  return cursor?.blockNumber === block;
}

export type ReadBlocks = {
  /** Whether the observer has read the block, and it is still on the chain. */
  has: (block: Named) => boolean;
  /** Throws ChainUnavailable if the observer has found the blocks replaced in the meantime. Until `tx` ends, it cannot find them so. */
  assertKept: (tx: Tx) => Promise<void>;
};

/**
 * Compares blocks read from a node outside of the observer's rounds with those that the observer has read. A fact from a block
 * that the observer never reads would not be reverted when the block is replaced.
 */
export async function readBlocks(system: System, network: NetworkName, blocks: readonly Named[]): Promise<ReadBlocks> {
  // Read before the node: any block that the node replaces from now on, the observer has yet to revert.
  const cursor = await store.cursor(system.db, network);
  if (!cursor) return { has: () => false, assertKept: async () => {} };
  const chain = system.chains[network];
  const numbers = new Set([cursor.blockNumber, ...blocks.map(({ number }) => number)]);
  const nodeBlocks = await Promise.all(
    [...numbers].filter((number) => number <= cursor.blockNumber).map((number) => chain.block(number)),
  );
  const hashes = new Set(nodeBlocks.map((block) => block?.hash));
  return {
    has: ({ hash }) => hashes.has(cursor.blockHash) && hashes.has(hash),
    assertKept: async (tx) => {
      if (!(await store.keepBlock(tx, cursor))) throw new ChainUnavailable("a block was replaced while it was read");
    },
  };
}
