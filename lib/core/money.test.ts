import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, amount, formatUsdc, limitAmount, parseUsdc, positiveAmount, subtract, toUsdc } from "./money";

const UINT256_MAX = 2n ** 256n - 1n;
const LIMIT_MAX = 2n ** 96n - 1n;

const NOT_AMOUNTS: unknown[] = [
  "",
  "-1",
  "+1",
  "01",
  "00",
  "1e6",
  "1.0",
  "1,000",
  "1_000",
  " 1",
  "1 ",
  "1\n",
  "0x1",
  "1n",
  "NaN",
  "Infinity",
  "１",
  "١٢٣",
  "۱",
  "1\u0000",
  "1\u200b",
  (UINT256_MAX + 1n).toString(),
  "9".repeat(78),
  "9".repeat(10_000),
  1,
  1n,
  null,
  undefined,
  true,
  ["1"],
  { toString: () => "1" },
];

describe("an amount in a request or response", () => {
  test.each(NOT_AMOUNTS.map((value) => [value]))("refuses %o in every kind of field", (value) => {
    for (const codec of [positiveAmount, limitAmount, amount]) expect(codec.safeParse(value).success).toBe(false);
  });

  test("is 1 to 2^256-1 in requests, and may be zero only in responses", () => {
    expect(positiveAmount.parse("1")).toBe(1n);
    expect(positiveAmount.parse(UINT256_MAX.toString())).toBe(UINT256_MAX);
    expect(positiveAmount.safeParse("0").success).toBe(false);
    expect(amount.parse("0")).toBe(0n);
  });

  test("is at most 2^96-1 as a mandate's limit", () => {
    expect(limitAmount.parse(LIMIT_MAX.toString())).toBe(LIMIT_MAX);
    expect(limitAmount.safeParse((LIMIT_MAX + 1n).toString()).success).toBe(false);
    expect(limitAmount.safeParse("0").success).toBe(false);
  });

  test("is read back as the same text, for every uint256", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: UINT256_MAX }), (value) => {
        expect(positiveAmount.parse(value.toString())).toBe(value);
        expect(positiveAmount.encode(toUsdc(value))).toBe(value.toString());
      }),
    );
  });

  test("is never written negative or above uint256", () => {
    for (const value of [-1n, UINT256_MAX + 1n]) expect(amount.safeEncode(toUsdc(value)).success).toBe(false);
    expect(positiveAmount.safeEncode(toUsdc(0n)).success).toBe(false);
  });

  test("is either refused or read exactly, for any text", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(..."0123456789+-.e ") }),
      fc.mixedCase(fc.string()),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = positiveAmount.safeParse(text);
        if (read.success) expect(read.data.toString()).toBe(text);
      }),
    );
  });
});

describe("amounts in dollars for people", () => {
  test.each([
    [0n, "0.00"],
    [1n, "0.000001"],
    [10n, "0.00001"],
    [10_000n, "0.01"],
    [999_999n, "0.999999"],
    [1_000_000n, "1.00"],
    [12_500_000n, "12.50"],
    [12_345_678n, "12.345678"],
    [-1n, "-0.000001"],
    [-1_500_000n, "-1.50"],
  ])("show %s atomic units as %s", (atomic, text) => {
    expect(formatUsdc(toUsdc(atomic))).toBe(text);
  });

  test("are never rounded: the displayed text is read back as the same amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 66n - 1n }), (atomic) => {
        expect(parseUsdc(formatUsdc(toUsdc(atomic)))).toBe(atomic);
      }),
    );
  });

  test("always have two to six decimals", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -UINT256_MAX, max: UINT256_MAX }), (atomic) => {
        expect(formatUsdc(toUsdc(atomic))).toMatch(/^-?(0|[1-9]\d*)\.\d{2,6}$/);
      }),
    );
  });

  test.each([
    ["12.5", 12_500_000n],
    ["12", 12_000_000n],
    [" 0.000001 ", 1n],
    [".5", 500_000n],
    ["007", 7_000_000n],
  ])("typed as %j are %s atomic units", (text, atomic) => {
    expect(parseUsdc(text)).toBe(atomic);
  });

  test.each([
    "",
    "0",
    "0.0",
    "0.000000",
    "0.0000001",
    "1.0000000",
    "12,50",
    "1 000",
    ".",
    "5.",
    "-1",
    "+1",
    "1e6",
    "１",
    "NaN",
    "$5",
  ])("typed as %j are refused, not guessed", (text) => {
    expect(parseUsdc(text)).toBeNull();
  });
});

test("adding an amount and then subtracting it gives the original amount", () => {
  const amounts = fc.bigInt({ min: 0n, max: UINT256_MAX }).map(toUsdc);
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      expect(subtract(add(a, b), b)).toBe(a);
    }),
  );
});
