import { NETWORKS } from "@tessera/x402/networks";
import type { Block } from "./chain";

/** An accepted head, and the time of its acceptance in milliseconds of this process's monotonic clock. */
export type Believed = { block: Block; atMs: number; aheadMs: number };

/** Between two blocks of the fastest network. */
export const BLOCK_SECONDS = Math.min(...Object.values(NETWORKS).map(({ blockSeconds }) => blockSeconds));
/** Tolerated surplus of blocks: one minute's worth. */
const SLACK_BLOCKS = 30;
/** How much further into the future of this machine's clock a block's time may move. */
const SLACK_FUTURE_MS = 30_000;

export const aheadOf = (head: Block, clock: Date): number => head.time.getTime() - clock.getTime();

/**
 * Whether a head can be accepted without a second lookup: the chain grew at most at twice its pace since the last accepted
 * head, and the head is not suddenly further in the future of this clock. A lower head comes from a lagging node and is
 * harmless. The first head of a process has no predecessor and is never plausible.
 */
export function isPlausible(head: Block, before: Believed | null, nowMs: number, clock: Date): boolean {
  if (!before) return false;
  const elapsedSeconds = (nowMs - before.atMs) / 1000;
  const expected = BigInt(Math.ceil((2 * elapsedSeconds) / BLOCK_SECONDS) + SLACK_BLOCKS);
  const isTooFar = head.number - before.block.number > expected;
  const isTooLate = aheadOf(head, clock) > Math.max(0, before.aheadMs) + SLACK_FUTURE_MS;
  return !isTooFar && !isTooLate;
}

/**
 * Whether a node with newest block `other` may simply lag behind one with `head`: the missing blocks span as much time as
 * that many blocks take.
 */
export function mayLagBehind(other: Block, head: Block): boolean {
  const missing = Number(head.number - other.number);
  const seconds = (head.time.getTime() - other.time.getTime()) / 1000;
  return missing <= SLACK_BLOCKS || missing <= (2 * seconds) / BLOCK_SECONDS;
}
