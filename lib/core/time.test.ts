import fc from "fast-check";
import { expect, test } from "vitest";
import { addSeconds, durationText, fromUnixSeconds, retryAfterSeconds, unixSeconds } from "./time";
import { isoDate } from "./time-text";

test("Unix seconds are rounded down, never ahead of the time", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2200-01-01") }), (moment) => {
      const seconds = unixSeconds(moment);
      expect(fromUnixSeconds(seconds) <= moment && moment < addSeconds(fromUnixSeconds(seconds), 1)).toBe(true);
    }),
  );
});

test("a time in a request is ISO 8601 with a zone, and is written in UTC", () => {
  expect(isoDate.encode(isoDate.parse("2026-01-01T01:00:00+01:00"))).toBe("2026-01-01T00:00:00.000Z");
  for (const text of ["2026-01-01", "2026-01-01T00:00:00", "1767225600", "tomorrow", "2026-13-01T00:00:00Z", ""]) {
    expect(isoDate.safeParse(text).success, text).toBe(false);
  }
});

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [59, "59 seconds"],
  [60, "1 minute"],
  [90, "1 minute 30 seconds"],
  [900, "15 minutes"],
  [3600, "1 hour"],
  [86_399, "23 hours 59 minutes 59 seconds"],
  [90_061, "1 day 1 hour 1 minute 1 second"],
])("a duration of %i seconds is displayed as %s", (seconds, words) => {
  expect(durationText(seconds)).toBe(words);
});

test.each([
  [null, 0],
  ["120", 120],
  ["Sun, 01 Mar 2026 12:01:30 GMT", 90],
  ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
  ["-5", 0],
  ["1.5", 0],
  ["soon", 0],
  ["99999999999999999999", 0],
])("a Retry-After of %j is %d seconds", (text, seconds) => {
  expect(retryAfterSeconds(text, new Date("2026-03-01T12:00:00Z"))).toBe(seconds);
});
