import { afterAll, afterEach, expect } from "vitest";
import type { System } from "@/lib/platform/context";
import type { NetworkName } from "@/lib/x402/networks";
import { violations } from "@/ops/invariants";

/** Of a file's time, at most one part in so many is spent on the invariants. */
const SHARE = 10;

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
    nextAt = endedAt + SHARE * (endedAt - beganAt);
  };

  afterEach(async () => {
    isDue = true;
    if (performance.now() >= nextAt) await check();
  });

  afterAll(async () => {
    if (isDue) await check();
  });
}
