import { NETWORKS } from "@tessera/x402/networks";
import type { Block } from "./chain";

/** An accepted head, and the time of its acceptance in milliseconds of this process's monotonic clock. */
export type AcceptedHead = { block: Block; atMs: number; aheadMs: number };

/** Between two blocks of the fastest network. */
export const BLOCK_SECONDS = Math.min(...Object.values(NETWORKS).map(({ blockSeconds }) => blockSeconds));
/** Tolerated surplus of blocks: one minute's worth. */
const SLACK_BLOCKS = 30;
/** How much further ahead of this machine's clock a block's time may move. */
const SLACK_FUTURE_MS = 30_000;

/**
 * Whether a head can be accepted without a second lookup: the chain grew at most at twice its pace since the last accepted head, and
 * the block's time is not suddenly further ahead of this clock. A lower head comes from a lagging node and is harmless. The first head
 * of a process has no predecessor and is never plausible.
 */
export function isPlausible(head: Block, previousHead: AcceptedHead | null, nowMs: number, clock: Date): boolean {
  if (!previousHead) return false;
  const elapsedSeconds = (nowMs - previousHead.atMs) / 1000;
  const expected = BigInt(Math.ceil((2 * elapsedSeconds) / BLOCK_SECONDS) + SLACK_BLOCKS);
  const isTooFar = head.number - previousHead.block.number > expected;
  const isTooLate = head.time.getTime() - clock.getTime() > Math.max(0, previousHead.aheadMs) + SLACK_FUTURE_MS;
  return !isTooFar && !isTooLate;
}

/**
 * Whether a node with newest block `otherHead` may simply lag behind one with `head`: the missing blocks span as much time as
 * that many blocks take.
 */
export function mayLagBehind(otherHead: Block, head: Block): boolean {
  const missing = Number(head.number - otherHead.number);
  const seconds = (head.time.getTime() - otherHead.time.getTime()) / 1000;
  return missing <= SLACK_BLOCKS || missing <= (2 * seconds) / BLOCK_SECONDS;
}
