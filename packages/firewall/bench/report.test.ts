import { expect, test } from "vitest";
import { figureTable, type Goal, share, tableText, timesOf, timing } from "./report.ts";

const above = (least: number) => (one: number) => one > least;

test.each<[group: number[], least: number, goal: Goal, met: string]>([
  [[1, 2, 3, 4], 1, { atLeast: 75 }, "met"],
  [[1, 2, 3, 4], 2, { atLeast: 75 }, "not met"],
  [[1, 2, 3, 4], 4, { atMost: 0 }, "met"],
  [[1, 2, 3, 4], 3, { atMost: 0 }, "not met"],
  [[], 0, { atLeast: 0 }, "not met"],
  [[], 0, { atMost: 100 }, "not met"],
])("of %j those above %i with the goal %j: %s", (group, least, goal, met) => {
  expect(share("a", group, above(least), goal).split(" | ").at(-1)).toBe(met);
});

test("a table is printed with parts, goals and whether they are met", () => {
  const figures = [
    share("found", [1, 2, 3], above(1), { atLeast: 75 }),
    share("rare", Array(400).fill(0), (_, index) => index === 0, { atMost: 1 }),
    share("any", [1], above(0)),
  ];
  expect(tableText(figureTable("Scan", figures, ["a note that is longer"])).split("\n")).toEqual([
    "Scan",
    "  figure  measured           goal",
    "  found   66.7 % (2 of 3)    ≥ 75 %  not met",
    "  rare    0.25 % (1 of 400)  ≤ 1 %   met",
    "  any     100.0 % (1 of 1)",
    "  a note that is longer",
  ]);
});

test("a time meets its goal up to the limit", () => {
  expect(timing("a", { median: 0.0123, p99: 0.3 }, { atMost: 0.3 })).toBe("a | 0.012 | 0.300 | p99 ≤ 0.3 ms | met");
  expect(timing("a", { median: 0.2, p99: 0.31 }, { atMost: 0.3 })).toBe("a | 0.200 | 0.310 | p99 ≤ 0.3 ms | not met");
  expect(timing("a", { median: 1, p99: 2 })).toBe("a | 1.000 | 2.000 |  | ");
});

test("every run of a measurement is labelled with its number", () => {
  const seen = new Set<number>();
  const { median, p99 } = timesOf((index) => seen.add(index), 20);
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(median).toBeLessThanOrEqual(p99);
});
