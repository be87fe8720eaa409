import { expect, test } from "vitest";
import { rows } from "./play";
import { EXTRAS, RECIPES } from "./recipes";
import { callables } from "./rows";
import { GOALS, recordedCosts, toCalls } from "./table";

const all = rows().map(({ name }) => name);
const recorded = recordedCosts();

test("docs/operations.md has a row of costs for each endpoint, page, other route and tool, and no other row", () => {
  expect([...recorded.keys()].sort()).toEqual(all.toSorted());
});

test("the table of costs has the rate limits of the code", () => {
  for (const { name, callsAMinute } of rows())
    expect([name, recorded.get(name)?.callsAMinute]).toEqual([name, toCalls(callsAMinute)]);
});

/** /healthz, the unit, differs by a fifth between runs. */
const SLACK = 1.2;

test("no client address may use more of a core than its share: a call that costs more declares more `work`", () => {
  const above = [...recorded].filter(([, { corePercent }]) => corePercent > SLACK * GOALS.corePercent);
  expect(above.map(([name, { corePercent }]) => `${name}: ${corePercent} %`)).toEqual([]);
});

test("no two rows of costs have the same name", () => {
  expect(new Set(all).size).toBe(all.length);
});

test("every recipe belongs to something that can be called", () => {
  const names = new Set(callables().map(({ name }) => name));
  expect(Object.keys(RECIPES).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(EXTRAS).filter((name) => names.has(name))).toEqual([]);
});
