import { expect, test } from "vitest";
import { setBounded } from "./bounded";

test("keeps the newest entries; an entry that is set again is new", () => {
  const map = new Map<string, number>();
  for (const [at, key] of ["a", "b", "a", "c"].entries()) setBounded(map, key, at, 2);
  expect([...map]).toEqual([
    ["a", 2],
    ["c", 3],
  ]);
});
