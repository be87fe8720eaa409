import { expect, test } from "vitest";
import { alone, atLeastTimes, atMostTimes, compared, markdownTable, median, quantile, textTable } from "./figures";

const figures = [
  compared("402 answers", [5_000, 1_000], { unit: "/s", is: "bare handler", goal: atLeastTimes(5) }),
  compared("verified", [30, 2], { unit: "/s", is: "reference", goal: atLeastTimes(20) }),
  alone("memory", 351, { unit: "MB", goal: { atMost: 350 } }),
  alone("settlements", 204, { unit: "/s", goal: { atLeast: 200 } }),
  compared("p99", [21, 10], { unit: "ms", is: "a small database", goal: atMostTimes(2) }),
  alone("CPU", 0.25, { unit: "s" }),
];

test("a table of figures says for each goal whether it was met", () => {
  expect(markdownTable(figures).split("\n").slice(2)).toEqual([
    "| 402 answers | 5,000 /s | 1,000 /s | 5× | bare handler | ≥ 5×, met |",
    "| verified | 30 /s | 2 /s | 15× | reference | ≥ 20×, missed |",
    "| memory | 351 MB |  |  |  | ≤ 350 MB, missed |",
    "| settlements | 204 /s |  |  |  | ≥ 200 /s, met |",
    "| p99 | 21 ms | 10 ms | 2.1× | a small database | ≤ 2×, missed |",
    "| CPU | 0.25 s |  |  |  |  |",
  ]);
  expect(textTable(figures).split("\n")[1]).toMatch(/^402 answers {3}5,000 \/s/);
});

test("medians and quantiles are measured values", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), quantile([1, 2, 3, 4], 0.99)]).toEqual([2, 2, 4]);
});
