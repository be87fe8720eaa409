import { describe, expect, test } from "vitest";
import { formatAmount, formatCount, formatPercent, roundAverage, usdcText } from "./format";

describe("displayed amounts", () => {
  test.each([
    ["0", "0.00"],
    ["1234.5", "1,234.50"],
    ["0.000001", "0.000001"],
    ["12.500000", "12.50"],
    ["90071992547409930001.930001", "90,071,992,547,409,930,001.930001"],
  ])("of %s are %s", (decimal, text) => expect(formatAmount(decimal)).toBe(text));

  test("in atomic units name their unit", () => expect(usdcText(1_234_500_000n)).toBe("1,234.50 USDC"));

  test.each([
    [333_333n, 330_000n],
    [335_000n, 340_000n],
    [1_999_999n, 2_000_000n],
    [9_999n, 9_999n],
    [0n, 0n],
  ])("that are averages are rounded from %s to %s", (average, rounded) => expect(roundAverage(average)).toBe(rounded));

  test("that are counts have thousands separators", () => {
    expect([formatCount(999), formatCount(12_345), formatCount(12_345n)]).toEqual(["999", "12,345", "12,345"]);
  });
});

describe("displayed percentages", () => {
  test.each([
    [1n, 2n, 0, "50%"],
    [2n, 3n, 1, "66.6%"],
    [999_999n, 1_000_000n, 1, "99.9%"],
    [5n, 5n, 1, "100%"],
    [3333n, 10_000n, 2, "33.33%"],
    [1250n, 10_000n, 2, "12.50%"],
    [1205n, 10_000n, 2, "12.05%"],
    [0n, 7n, 0, "0%"],
    [1n, 1000n, 0, "less than 1%"],
    [1n, 10_000n, 1, "less than 0.1%"],
    [50n, 2n, 0, "2,500%"],
  ] as const)("of %s in %s with %s decimals are %s", (part, whole, decimals, text) =>
    expect(formatPercent(part, whole, decimals)).toBe(text),
  );
});
