import fc from "fast-check";
import { expect, test } from "vitest";
import { toUsdc } from "@/lib/core/money";
import { isLow } from "./rules";

const funds = (balance: bigint, remaining: bigint, threshold: bigint) => ({
  balance: toUsdc(balance),
  remaining: toUsdc(remaining),
  threshold: toUsdc(threshold),
});

test.each([
  [4n, 10n, 5n, false, true],
  [5n, 10n, 5n, false, false],
  // All that the mandates may spend is there.
  [4n, 4n, 5n, false, false],
  [0n, 0n, 5n, false, false],
  // The balance was low before: only enough money ends that.
  [4n, 4n, 5n, true, true],
  [5n, 100n, 5n, true, false],
  [0n, 10n, 0n, true, false],
])(
  "whether a balance of %i is low with %i still to spend, the threshold %i and low before = %s: %s",
  (balance, remaining, threshold, wasLow, expected) => {
    expect(isLow(funds(balance, remaining, threshold), wasLow)).toBe(expected);
  },
);

test("an owner whose threshold is zero, or who has enough, is never notified", () => {
  const some = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(some, some, some, fc.boolean(), (balance, remaining, threshold, wasLow) => {
      expect(isLow(funds(balance, remaining, 0n), wasLow)).toBe(false);
      if (balance >= threshold) expect(isLow(funds(balance, remaining, threshold), wasLow)).toBe(false);
    }),
  );
});
