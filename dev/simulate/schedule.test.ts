import { expect, test } from "vitest";
import { ACTS, planOf } from "./schedule";

test("a seed always gives the same schedule, and two seeds give different ones", () => {
  expect(planOf(7)).toEqual(planOf(7));
  expect(planOf(7).steps).not.toEqual(planOf(8).steps);
});

test("any sixty consecutive seeds contain every kind of action", () => {
  for (const first of [1, 1_000, 77_777]) {
    const drawn = new Set(
      Array.from({ length: 60 }, (_, index) => planOf(first + index).steps.map(({ act }) => act)).flat(),
    );
    expect(ACTS.filter((act) => !drawn.has(act))).toEqual([]);
  }
});
