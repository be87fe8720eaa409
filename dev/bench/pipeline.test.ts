import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BASE, limitOf, simulate } from "./pipeline";
import { pipelineTable } from "./pipeline-table";

const base = { networks: 1, keysPerNetwork: 8, presentedPerSecond: 100, ...BASE };

test("the simulated pipeline loses and adds no payment: each presented one is settled or waits", () => {
  for (const presentedPerSecond of [1, 333, 5_000]) {
    const { presented, settled, waiting } = simulate({ ...base, presentedPerSecond });
    expect([presented, waiting >= 0]).toEqual([settled + waiting, true]);
    expect(presented / (presentedPerSecond * 240)).toBeCloseTo(1, 1);
  }
});

test("full blocks settle as many payments as their gas allows, whatever is presented", () => {
  const outcome = simulate({ ...base, presentedPerSecond: 20_000, keysPerNetwork: 30 });
  expect(outcome.settledPerSecond / (BASE.blockGas / BASE.blockSeconds / 50_660)).toBeCloseTo(1, 1);
  expect(limitOf(outcome)).toBe("gas");
});

test("a relayer key has sixteen transactions of a hundred payments in each block", () => {
  const outcome = simulate({ ...base, presentedPerSecond: 1_000, keysPerNetwork: 1 });
  expect(outcome.settledPerSecond).toBeCloseTo(800, -2);
  expect(limitOf(outcome)).toBe("keys");
});

test("docs/scaling.md has the figures of the simulated pipeline", () => {
  expect(readFileSync("docs/scaling.md", "utf8")).toContain(pipelineTable());
});
