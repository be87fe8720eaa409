/** `aheadMs`: ahead of the wall clock. `atMs`: stopped at this time. */
export type Clock = { aheadMs: number } | { atMs: number };

let clock: Clock | null = null;

/** The time for all decisions of the service: the wall clock, unless a test set another one (control.ts). */
export function now(): Date {
  if (!clock) return new Date();
  return new Date("atMs" in clock ? clock.atMs : Date.now() + clock.aheadMs);
}

export function setClock(next: Clock): void {
  clock = next;
}
