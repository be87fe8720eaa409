import fc from "fast-check";
import { expect, test } from "vitest";
import { windowWords } from "./likelihood.ts";
import { numberCount, numbersOf, pointsOf, scoreOf } from "./score.ts";

test("the three best stretches do not overlap", () => {
  const perWord = new Int32Array(200).fill(-1);
  perWord.fill(10, 20, 30);
  perWord.fill(8, 100, 110);
  perWord.fill(6, 150, 160);
  const { values, first, last } = numbersOf(200, perWord, false);
  const sums = [10, 8, 6].map((weight) => (weight * 10 - (windowWords - 10)) / 100);
  expect([...values.subarray(0, 3)]).toEqual(sums);
  expect(values[3]).toBe(1);
  expect(first <= 20 && last >= 29 && last - first === windowWords - 1).toBe(true);
});

test("a text of any length has finite numbers, and its best stretch is inside", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 120 }),
      fc.boolean(),
      (weights, isDecoded) => {
        const { values, first, last } = numbersOf(weights.length, weights, isDecoded);
        expect(values).toHaveLength(numberCount);
        expect(values.every(Number.isFinite)).toBe(true);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(last).toBeLessThan(Math.max(weights.length, 1));
        const [best = 0, second = 0, third = 0] = values;
        if (weights.length >= 3 * windowWords) expect(best >= second && second >= third).toBe(true);
      },
    ),
  );
});

test("the score is the weighted sum of the numbers and a constant", () => {
  const coefficients = Array.from({ length: numberCount + 1 }, (_, index) => index + 1);
  expect(scoreOf(new Float64Array(numberCount).fill(1), coefficients)).toBe(55);
});

test("points rise with the score, and reach block only at its threshold", () => {
  const thresholds = { review: -1, block: 3 };
  expect([-1, 1, 2.99, 3, 5, 50].map((score) => pointsOf(score, thresholds))).toEqual([25, 41, 56, 75, 85, 100]);
});
