import { expect, test } from "vitest";
import { rows } from "./play";
import { EXTRAS, RECIPES } from "./recipes";
import { callables } from "./rows";
import { recordedCosts } from "./table";

const all = rows().map(({ name }) => name);

test("docs/operations.md has a row of costs for each endpoint, page, other route and tool, and for nothing else", () => {
  expect([...recordedCosts().keys()].sort()).toEqual(all.toSorted());
});

test("no two rows have one name", () => {
  expect(new Set(all).size).toBe(all.length);
});

test("every recipe is of something that can be called", () => {
  const names = new Set(callables().map(({ name }) => name));
  expect(Object.keys(RECIPES).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(EXTRAS).filter((name) => names.has(name))).toEqual([]);
});
