import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PERIODS, windowOf } from "./periods";

const dateOf = (text: string) => new Date(text);
const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];

describe("a period of sales", () => {
  test("of 7 days begins at midnight six days ago and ends now, and so does the previous period", () => {
    const { current, previous, steps } = windowOf("7d", dateOf("2026-03-03T15:30:00.000Z"));
    expect(iso(current)).toEqual(["2026-02-25T00:00:00.000Z", "2026-03-03T15:30:00.000Z"]);
    expect(iso(previous)).toEqual(["2026-02-18T00:00:00.000Z", "2026-02-24T15:30:00.000Z"]);
    expect(steps).toHaveLength(7);
    expect(iso(steps[0] ?? current)).toEqual(["2026-02-25T00:00:00.000Z", "2026-02-26T00:00:00.000Z"]);
    expect(iso(steps[6] ?? current)).toEqual(["2026-03-03T00:00:00.000Z", "2026-03-04T00:00:00.000Z"]);
  });

  test("of 90 days is divided into weeks that end today, of which the oldest has six days", () => {
    const { current, steps } = windowOf("90d", dateOf("2026-03-31T23:59:59.999Z"));
    expect(iso(current)).toEqual(["2026-01-01T00:00:00.000Z", "2026-03-31T23:59:59.999Z"]);
    expect(steps).toHaveLength(13);
    expect(iso(steps[0] ?? current)).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-07T00:00:00.000Z"]);
    expect(iso(steps[12] ?? current)).toEqual(["2026-03-25T00:00:00.000Z", "2026-04-01T00:00:00.000Z"]);
  });

  test("of 12 months has this month and the eleven before it", () => {
    const { current, previous, steps } = windowOf("12m", dateOf("2028-02-29T12:00:00.000Z"));
    expect(iso(current)).toEqual(["2027-03-01T00:00:00.000Z", "2028-02-29T12:00:00.000Z"]);
    expect(iso(previous)).toEqual(["2026-03-01T00:00:00.000Z", "2027-02-28T12:00:00.000Z"]);
    expect(steps).toHaveLength(12);
    expect(iso(steps[11] ?? current)).toEqual(["2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"]);
  });

  test("at midnight includes the new day, which is empty", () => {
    const { current } = windowOf("7d", dateOf("2026-03-04T00:00:00.000Z"));
    expect(current.from.toISOString()).toBe("2026-02-26T00:00:00.000Z");
  });

  test("is always covered by its steps without a gap, and the previous period ends no later than it begins", () => {
    const moments = fc.date({
      min: dateOf("2001-01-01T00:00:00Z"),
      max: dateOf("2090-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), moments, (period, now) => {
        const { current, previous, steps } = windowOf(period, now);
        expect(steps[0]?.from).toEqual(current.from);
        for (const [index, step] of steps.entries()) {
          expect(step.from < step.to).toBe(true);
          const next = steps[index + 1];
          if (next) expect(step.to).toEqual(next.from);
        }
        const last = steps.at(-1);
        expect(last && last.from <= now && now < last.to).toBe(true);
        expect(previous.from < previous.to || +previous.from === +previous.to).toBe(true);
        expect(previous.to <= current.from).toBe(true);
      }),
    );
  });
});
