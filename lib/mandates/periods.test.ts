import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/money";
import { lackingPeriod, largestPayment, type PeriodName, type Periods, periodOf } from "./periods";

const now = new Date("2030-01-31T23:59:59.999Z");
const usdc = (atomic: number) => toUsdc(BigInt(atomic));
const used: Periods = {
  maxAmountPerDay: usdc(10),
  maxAmountPerMonth: usdc(50),
  chargedOn: "2030-01-31",
  dayAmount: usdc(4),
  monthAmount: usdc(45),
};

describe("the budget of a day and a month", () => {
  test.each<[string, Partial<Periods>, PeriodName, string, [number, number, string] | null]>([
    ["of today", {}, "day", "2030-01-31T23:59:59.999Z", [4, 6, "2030-02-01T00:00:00.000Z"]],
    ["of this month", {}, "month", "2030-01-31T00:00:00Z", [45, 5, "2030-02-01T00:00:00.000Z"]],
    ["begin anew at midnight UTC", {}, "day", "2030-02-01T00:00:00Z", [0, 10, "2030-02-02T00:00:00.000Z"]],
    ["of a new month", {}, "month", "2030-02-01T00:00:00Z", [0, 50, "2030-03-01T00:00:00.000Z"]],
    [
      "of a new year",
      { chargedOn: "2029-12-31" },
      "month",
      "2030-01-01T00:00:00Z",
      [0, 50, "2030-02-01T00:00:00.000Z"],
    ],
    ["last until the year's end", {}, "month", "2030-12-31T23:00:00Z", [0, 50, "2031-01-01T00:00:00.000Z"]],
    ["of a clock that is behind", {}, "day", "2030-01-30T23:59:59Z", [4, 6, "2030-02-01T00:00:00.000Z"]],
    ["never used", { chargedOn: null }, "day", "2030-01-31T00:00:00Z", [0, 10, "2030-02-01T00:00:00.000Z"]],
    [
      "used up beyond the cap",
      { dayAmount: usdc(11) },
      "day",
      "2030-01-31T00:00:00Z",
      [11, 0, "2030-02-01T00:00:00.000Z"],
    ],
    ["without a cap", { maxAmountPerDay: null }, "day", "2030-01-31T00:00:00Z", null],
  ])("%s", (_name, change, name, at, expected) => {
    const period = periodOf({ ...used, ...change }, name, new Date(at));
    expect(
      period && [Number(period.usedAmount), Number(period.remainingAmount), period.resetsAt.toISOString()],
    ).toEqual(expected);
  });

  test("reports what it lacks, the month before the day", () => {
    expect(lackingPeriod(used, usdc(5), now)).toBeNull();
    expect(lackingPeriod(used, usdc(6), now)).toMatchObject({ name: "month", remainingAmount: 5n });
    expect(lackingPeriod({ ...used, maxAmountPerMonth: null }, usdc(7), now)).toMatchObject({
      name: "day",
      remainingAmount: 6n,
    });
  });
});

test("the smallest cap is the largest possible payment", () => {
  const none = { maxAmountPerPayment: null, ...used, maxAmountPerDay: null, maxAmountPerMonth: null };
  expect(largestPayment(none)).toBeNull();
  expect(largestPayment({ ...used, maxAmountPerPayment: null })).toBe(10n);
  expect(largestPayment({ ...used, maxAmountPerPayment: usdc(3) })).toBe(3n);
});
