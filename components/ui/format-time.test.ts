import { describe, expect, test } from "vitest";
import { formatCountdown, formatRelative, utcMinute } from "./format-time";

describe("displayed times", () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const SECOND = 1000;
  const HOUR = 3600 * SECOND;
  const DAY = 24 * HOUR;

  test.each([
    [7 * DAY, "in 7 days"],
    [6.99 * DAY, "in 7 days"],
    [6.4 * DAY, "in 6 days"],
    [-7 * DAY, "7 days ago"],
    [-6.99 * DAY, "7 days ago"],
    [2 * DAY, "in 2 days"],
    [36 * HOUR, "in 36 hours"],
    [24 * HOUR - 5 * SECOND, "in 24 hours"],
    [90 * 60 * SECOND, "in 90 minutes"],
    [60 * SECOND, "in 1 minute"],
    [59 * SECOND, "in 59 seconds"],
    [-9 * SECOND, "now"],
    [90 * DAY, "in 3 months"],
    [730 * DAY, "in 2 years"],
  ])("are relative: %s ms away is %s", (distance, text) =>
    expect(formatRelative(new Date(now + distance), now)).toBe(text),
  );

  test.each([
    [1, "1 s"],
    [60, "1 min"],
    [7_505, "2 h 5 min"],
    [86_400 + 59, "1 d"],
  ])("count down: %s seconds is %s", (seconds, text) => expect(formatCountdown(seconds)).toBe(text));

  test("are in UTC within a sentence", () => {
    expect(utcMinute(new Date("2026-12-03T14:05:59Z"))).toBe("2026-12-03 14:05 UTC");
  });
});
