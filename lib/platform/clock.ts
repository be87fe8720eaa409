/** A test's clock: ahead of the wall clock, or stopped. */
export type TestClock = { type: "ahead"; byMs: number } | { type: "stopped"; atMs: number };

let clock: TestClock | null = null;

/** The time for all decisions of the service: the wall clock, unless a test set another one (control.ts). */
export function now(): Date {
  if (!clock) return new Date();
  return new Date(clock.type === "stopped" ? clock.atMs : Date.now() + clock.byMs);
}

export function setClock(next: TestClock): void {
  clock = next;
}
