/** The observer's cursor at the last check, and since when it has not moved although there were blocks to read. */
export type Reading = { readUpToBlock: bigint | null; behindSinceMs: number | null };

const STALLED_MS = 60_000;

/**
 * Whether the observer's cursor has not moved for a minute although the chain has more blocks. `nowMs`: this process's
 * monotonic milliseconds. False on the first reading.
 */
export function isStalled(
  previousReading: Reading | undefined,
  { head, readUpToBlock }: { head: bigint | null; readUpToBlock: bigint | null },
  nowMs: number,
): { reading: Reading; isStalled: boolean } {
  const isBehind = head !== null && head > (readUpToBlock ?? -1n);
  const isSame = previousReading?.readUpToBlock === readUpToBlock;
  const behindSinceMs = isBehind ? ((isSame ? previousReading?.behindSinceMs : null) ?? nowMs) : null;
  const reading = { readUpToBlock, behindSinceMs };
  return { reading, isStalled: behindSinceMs !== null && nowMs - behindSinceMs >= STALLED_MS };
}
