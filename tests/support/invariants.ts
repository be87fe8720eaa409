import { afterAll, afterEach, expect } from "vitest";
import type { System } from "@/lib/platform/context";
import type { NetworkName } from "@/lib/x402/networks";
import { violations } from "@/ops/invariants";

/** The time between two checks, as a multiple of the time that the last check took. */
const PAUSE_FACTOR = 10;

/**
 * Checks the invariants after the tests of a file, and always after the last. They read every table and every block, so that
 * tests of a few milliseconds share a check. Call it after the file's own `afterAll`, which vitest then runs later.
 */
export function expectInvariants(systemOf: () => System, networks?: readonly NetworkName[]): void {
  let nextAt = 0;
  let isDue = false;

  const check = async () => {
    isDue = false;
    const beganAt = performance.now();
    expect(await violations(systemOf(), networks)).toEqual([]);
    const endedAt = performance.now();
    nextAt = endedAt + PAUSE_FACTOR * (endedAt - beganAt);
  };

  afterEach(async () => {
    isDue = true;
    if (performance.now() >= nextAt) await check();
  });

  afterAll(async () => {
    if (isDue) await check();
  });
}
