import { describe, expect, test } from "vitest";
import { type Figure, isMet, sectionText, share, time, timesOf } from "./report.ts";

describe("a measured figure", () => {
  test.each<[figure: Figure, met: boolean | null]>([
    [share("a", [1, 2, 3, 4], (one) => one > 1, { atLeast: 75 }), true],
    [share("a", [1, 2, 3, 4], (one) => one > 2, { atLeast: 75 }), false],
    [share("a", [1, 2, 3, 4], (one) => one > 4, { atMost: 0 }), true],
    [share("a", [1, 2, 3, 4], (one) => one > 3, { atMost: 0 }), false],
    [share("a", [], () => true, { atLeast: 0 }), false],
    [share("a", [], () => true, { atMost: 100 }), false],
    [share("a", [1], () => true), null],
    [time("a", 0.3, { atMost: 0.3 }), true],
    [time("a", 0.31, { atMost: 0.3 }), false],
  ])("%j meets its goal: %s", (figure, met) => {
    expect(isMet(figure)).toBe(met);
  });

  test("is printed with its parts, its goal and whether it meets the goal", () => {
    const figures = [
      share("found", [1, 2, 3], (one) => one > 1, { atLeast: 75 }),
      share("rare", Array(400).fill(0), (_, index) => index === 0, { atMost: 1 }),
      time("fast", 0.0123),
    ];
    expect(sectionText({ title: "Scan", figures, notes: ["a note"] }).split("\n")).toEqual([
      "Scan",
      "  found  66.7 % (2 of 3)    ≥ 75 %  NOT MET",
      "  rare   0.25 % (1 of 400)  ≤ 1 %   met",
      "  fast   0.012 ms",
      "  a note",
    ]);
  });
});

test("every run of a measurement is labelled with its number", () => {
  const seen = new Set<number>();
  const { median, p99 } = timesOf((index) => seen.add(index), 20);
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(median).toBeLessThanOrEqual(p99);
});
