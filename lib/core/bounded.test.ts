import { expect, test } from "vitest";
import { setBounded } from "./bounded";

test("a bounded map keeps the newest entries, and an entry that is set again counts as new", () => {
  const map = new Map<string, number>();
  for (const [index, key] of ["a", "b", "a", "c"].entries()) setBounded(map, key, index, 2);
  expect([...map]).toEqual([
    ["a", 2],
    ["c", 3],
  ]);
});
