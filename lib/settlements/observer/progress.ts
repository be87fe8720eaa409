/** How far the observer had read when it was looked at, and since when it stands there with blocks left to read. */
export type Reading = { readUpToBlock: bigint | null; behindSinceMs: number | null };

const STANDING_MS = 60_000;

/**
 * Whether the observer has stood at one block for a minute although the chain has more. Times are of this process's own
 * clock; what it sees for the first time it does not judge.
 */
export function isStandingStill(
  before: Reading | undefined,
  { head, readUpToBlock }: { head: bigint | null; readUpToBlock: bigint | null },
  nowMs: number,
): { reading: Reading; isStandingStill: boolean } {
  const isBehind = head !== null && head > (readUpToBlock ?? -1n);
  const isSame = before?.readUpToBlock === readUpToBlock;
  const behindSinceMs = isBehind ? ((isSame ? before?.behindSinceMs : null) ?? nowMs) : null;
  const reading = { readUpToBlock, behindSinceMs };
  return { reading, isStandingStill: behindSinceMs !== null && nowMs - behindSinceMs >= STANDING_MS };
}
