/** `aheadMs`: ahead of the wall clock. `atMs`: stopped at this time. */
export type Clock = { aheadMs: number } | { atMs: number };

/** On globalThis, because the bundler gives routes, pages and instrumentation separate copies of this module. */
const shared = globalThis as typeof globalThis & { tesseraClock?: Clock };

/** The time for all decisions of the service: the wall clock, unless a test set another one (control.ts). */
export function now(): Date {
  const clock = shared.tesseraClock;
  if (!clock) return new Date();
  return new Date("atMs" in clock ? clock.atMs : Date.now() + clock.aheadMs);
}

export function setClock(clock: Clock): void {
  shared.tesseraClock = clock;
}
