import { describe, expect, test } from "vitest";
import { isStalled } from "./rules";

describe("the observer counts as stalled", () => {
  const at = (readUpToBlock: bigint | null, head: bigint | null) => ({ readUpToBlock, head });
  const after = (steps: [seen: ReturnType<typeof at>, seconds: number][]) => {
    let before: Parameters<typeof isStalled>[0];
    return steps.map(([seen, seconds]) => {
      const found = isStalled(before, seen, seconds * 1000);
      before = found.progress;
      return found.isStalled;
    });
  };

  test.each<[string, [ReturnType<typeof at>, number][], boolean[]]>([
    [
      "not while its cursor moves",
      [
        [at(5n, 9n), 0],
        [at(6n, 70n), 100],
        [at(7n, 150n), 200],
      ],
      [false, false, false],
    ],
    [
      "after a minute at one block with more to read",
      [
        [at(5n, 9n), 0],
        [at(5n, 20n), 59],
        [at(5n, 40n), 60],
      ],
      [false, false, true],
    ],
    [
      "not while the chain produces no blocks",
      [
        [at(9n, 9n), 0],
        [at(9n, 9n), 500],
      ],
      [false, false],
    ],
    [
      "a minute after there is more to read",
      [
        [at(9n, 9n), 0],
        [at(9n, 10n), 500],
        [at(9n, 20n), 559],
        [at(9n, 20n), 560],
      ],
      [false, false, false, true],
    ],
    [
      "not while the head is unknown",
      [
        [at(5n, 9n), 0],
        [at(5n, null), 100],
        [at(5n, 9n), 101],
      ],
      [false, false, false],
    ],
    [
      "when it never started",
      [
        [at(null, 9n), 0],
        [at(null, 50n), 61],
      ],
      [false, true],
    ],
  ])("%s", (_, steps, expected) => expect(after(steps)).toEqual(expected));
});
