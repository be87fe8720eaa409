/** On globalThis, because the bundler gives routes, pages and instrumentation a copy of this module each. */
const shared = globalThis as typeof globalThis & { tesseraClockAheadMs?: number };

/** The time that all decisions of the service go by: the wall clock's, unless a test moved it (control.ts). */
export const now = (): Date => new Date(Date.now() + (shared.tesseraClockAheadMs ?? 0));

/** Sets how far `now` is ahead of the wall clock. Negative is behind. */
export function setClockAhead(milliseconds: number): void {
  shared.tesseraClockAheadMs = milliseconds;
}
