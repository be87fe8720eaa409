import type { Block } from "./chain";

/** A head that was believed, and when, in milliseconds of this process's own clock. */
export type Believed = { block: Block; atMs: number; aheadMs: number };

/** Blocks of Base and Base Sepolia come every two seconds. */
export const BLOCK_SECONDS = 2;
/** How many blocks more than expected are no surprise: a minute of them. */
const SLACK_BLOCKS = 30;
/** How far a block's time may be in the future of our own clock, beyond what it was before. */
const SLACK_FUTURE_MS = 30_000;

export const aheadOf = (head: Block, clock: Date): number => head.time.getTime() - clock.getTime();

/**
 * Whether a head may be believed without a second look-up: it grew no faster than twice the chain's pace since the last
 * believed one, and is not suddenly further in the future of our clock. A lower head is a node that lags, which is
 * harmless. The first head of a process has nothing to be compared with and is never plausible.
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
 * Whether a node whose newest block is `other` may be behind one with `head` for no other reason than that it lags: the
 * blocks it lacks took as long as such blocks take.
 */
export function mayLagBehind(other: Block, head: Block): boolean {
  const missing = Number(head.number - other.number);
  const seconds = (head.time.getTime() - other.time.getTime()) / 1000;
  return missing <= SLACK_BLOCKS || missing <= (2 * seconds) / BLOCK_SECONDS;
}
