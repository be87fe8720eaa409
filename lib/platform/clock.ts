/** Ahead of the wall clock by `aheadMs`, or standing still. */
export type Clock = { aheadMs: number } | { atMs: number };

/** On globalThis, because the bundler gives routes, pages and instrumentation a copy of this module each. */
const shared = globalThis as typeof globalThis & { tesseraClock?: Clock };

/** The time that all decisions of the service go by: the wall clock's, unless a test set it (control.ts). */
export function now(): Date {
  const clock = shared.tesseraClock;
  if (!clock) return new Date();
  return new Date("atMs" in clock ? clock.atMs : Date.now() + clock.aheadMs);
}

export function setClock(clock: Clock): void {
  shared.tesseraClock = clock;
}
