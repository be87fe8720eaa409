import { describe, expect, test } from "vitest";
import type { Block } from "./chain";
import { isPlausible, mayLagBehind } from "./heads";

const CLOCK = new Date("2026-01-01T00:00:00Z");
const block = (number: number, secondsAhead = 0): Block => ({
  number: BigInt(number),
  hash: "0x",
  time: new Date(CLOCK.getTime() + secondsAhead * 1000),
});
const last = (number: number, aheadMs = 0) => ({ block: block(number), atMs: 0, aheadMs });

describe("a new chain head is accepted without a second request", () => {
  test.each<[string, Block, ReturnType<typeof last> | null, number, boolean]>([
    ["not when there is nothing to compare it with", block(100), null, 0, false],
    ["when it is the same", block(100), last(100), 0, true],
    ["when it is a block further after two seconds", block(101), last(100), 2_000, true],
    ["when it is lower: that node lags", block(5), last(100), 0, true],
    ["when an hour passed and an hour of blocks came", block(1_900), last(100), 3_600_000, true],
    ["not when more came than twice the pace and some slack", block(3_731), last(100), 3_600_000, false],
    ["within the slack", block(130), last(100), 0, true],
    ["not beyond the slack", block(131), last(100), 0, false],
    ["not when it is a million blocks further", block(1_000_100), last(100), 2_000, false],
    ["not when its time is far in the future", block(101, 31), last(100), 2_000, false],
    ["when the chain's clock was as far ahead before", block(101, 3_610), last(100, 3_600_000), 2_000, true],
  ])("%s", (_, head, known, nowMs, expected) => expect(isPlausible(head, known, nowMs, CLOCK)).toBe(expected));
});

describe("another node's head, compared with the new one,", () => {
  test.each<[string, Block, Block, boolean]>([
    ["may lag by some blocks", block(100), block(130), true],
    ["may lag by hours, if the blocks took as long", block(100, -7_200), block(3_700), true],
    ["contradicts one that leaps in no time", block(100), block(1_000_000), false],
  ])("%s", (_, otherBlock, head, expected) => expect(mayLagBehind(otherBlock, head)).toBe(expected));
});
