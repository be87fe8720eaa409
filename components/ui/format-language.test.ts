import { describe, expect, test } from "vitest";
import { formatAmount, formatCount, formatDecimal, usdcOf, usdcText } from "./format";
import { bytesText } from "./format-bytes";
import { formatClock, formatCountdown, formatDay, formatRelative } from "./format-time";
import { formatUtc } from "./format-utc";

describe("in German", () => {
  const time = new Date("2026-11-26T16:40:09Z");
  const zone = { language: "de", timeZone: "UTC" } as const;

  test("numbers have a decimal comma, and stay exact", () => {
    expect(formatAmount("1234.5", "de")).toBe("1.234,50");
    expect(formatAmount("123456789012345678.123456", "de")).toBe("123.456.789.012.345.678,123456");
    expect(usdcText(1_234_560_000n, "de")).toBe("1.234,56\u00a0USDC");
    expect(usdcOf("0.000001", "de")).toBe("0,000001\u00a0USDC");
    expect(formatCount(12_345, "de")).toBe("12.345");
    expect(formatDecimal("7.50", "de")).toBe("7,50");
    expect(formatDecimal("1000", "de")).toBe("1.000");
  });

  test("dates have German names", () => {
    expect(formatDay(time, zone)).toBe("26.\u00a0November 2026");
    expect(formatDay(time, { ...zone, month: "short" })).toBe("26.\u00a0Nov. 2026");
    expect(formatClock(time, zone)).toBe("16:40");
    expect(formatUtc(time, "de")).toBe("26.\u00a0November 2026, 16:40\u00a0UTC");
    expect(formatUtc(time, "de", true)).toBe("26.\u00a0November 2026, 16:40:09\u00a0UTC");
    expect(formatUtc(time, "en", true)).toBe("2026-11-26 16:40:09 UTC");
  });

  test("relative times are German", () => {
    const now = time.getTime();
    expect(formatRelative(new Date(now + 7 * 86_400_000), now, "de")).toBe("in 7 Tagen");
    expect(formatRelative(new Date(now - 60_000), now, "de")).toBe("vor 1 Minute");
    expect(formatRelative(time, now, "de")).toBe("jetzt");
  });

  test("a countdown has the given units", () => {
    expect(formatCountdown(7_505, { days: "Tg.", hours: "Std.", minutes: "Min.", seconds: "Sek." })).toBe(
      "2 Std. 5 Min.",
    );
  });

  test.each([
    [1, "1\u00a0Byte"],
    [34_817, "35\u00a0KB"],
    [1_100_000, "1,1\u00a0MB"],
  ])("a size of %i bytes is displayed as %s", (bytes, text) => expect(bytesText(bytes, "de")).toBe(text));
});
