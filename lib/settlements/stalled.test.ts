import { describe, expect, test } from "vitest";
import { isStalled } from "./rules";

describe("the observer counts as stalled", () => {
  const progressAt = (readUpToBlock: bigint | null, head: bigint | null) => ({ readUpToBlock, head });
  const stallsAfter = (steps: [seen: ReturnType<typeof progressAt>, seconds: number][]) => {
    let before: Parameters<typeof isStalled>[0];
    return steps.map(([seen, seconds]) => {
      const found = isStalled(before, seen, seconds * 1000);
      before = found.progress;
      return found.isStalled;
    });
  };

  test.each<[string, [ReturnType<typeof progressAt>, number][], boolean[]]>([
    [
      "not while its cursor moves",
      [
        [progressAt(5n, 9n), 0],
        [progressAt(6n, 70n), 100],
        [progressAt(7n, 150n), 200],
      ],
      [false, false, false],
    ],
    [
      "after a minute at one block with more to read",
      [
        [progressAt(5n, 9n), 0],
        [progressAt(5n, 20n), 59],
        [progressAt(5n, 40n), 60],
      ],
      [false, false, true],
    ],
    [
      "not while the chain produces no blocks",
      [
        [progressAt(9n, 9n), 0],
        [progressAt(9n, 9n), 500],
      ],
      [false, false],
    ],
    [
      "a minute after there is more to read",
      [
        [progressAt(9n, 9n), 0],
        [progressAt(9n, 10n), 500],
        [progressAt(9n, 20n), 559],
        [progressAt(9n, 20n), 560],
      ],
      [false, false, false, true],
    ],
    [
      "not while the head is unknown",
      [
        [progressAt(5n, 9n), 0],
        [progressAt(5n, null), 100],
        [progressAt(5n, 9n), 101],
      ],
      [false, false, false],
    ],
    [
      "when it never started",
      [
        [progressAt(null, 9n), 0],
        [progressAt(null, 50n), 61],
      ],
      [false, true],
    ],
  ])("%s", (_, steps, expected) => expect(stallsAfter(steps)).toEqual(expected));
});
