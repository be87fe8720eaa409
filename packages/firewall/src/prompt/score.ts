import { windowWords } from "./likelihood.ts";

/** The length in words of a short stretch: one order, without what is around it. */
export const shortWords = 10;
/** The numbers that the calibration reads: see `numbersOf`. */
export const numberCount = 9;

/** A text as the calibration sees it, and the words `first` to `last` of its most suspect stretch. */
export type Numbers = { values: Float64Array; first: number; last: number };

/**
 * The sums of the three most suspect stretches that do not overlap, and of the most suspect short one; the mean of all
 * words; the length, its square, and its product with the best sum; and whether the text was found in a decoded view. Only operations that
 * every engine rounds alike: no logarithm of the language.
 */
export function numbersOf(count: number, perWord: ArrayLike<number>, isDecoded: boolean): Numbers {
  const width = Math.min(windowWords, count);
  const best = bestOf(count, perWord, width, 0, count);
  const second = outside(count, perWord, width, [best]);
  const third = outside(count, perWord, width, [best, second]);
  const short = bestOf(count, perWord, Math.min(shortWords, count), 0, count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += perWord[i] ?? 0;
  const length = roughLog2(count + 1);
  const values = Float64Array.of(
    best.sum / unit,
    second.sum / unit,
    third.sum / unit,
    short.sum / unit,
    count === 0 ? 0 : sum / (count * unit),
    length,
    length * length,
    (best.sum * length) / unit,
    isDecoded ? 1 : 0,
  );
  return { values, first: Math.max(0, best.end - width), last: best.end - 1 };
}

export type Stretch = { score: number; first: number; last: number };

/** The length in words of a part that is judged as if it were a whole text. */
const partWords = 60;

/**
 * The most suspect part of a text that is longer than a part, judged by itself: in the whole, harmless text around an order, or the same order
 * again and again, lowers the score. Parts overlap by half.
 */
export function mostSuspectPart(
  count: number,
  perWord: Int32Array,
  isDecoded: boolean,
  coefficients: readonly number[],
): Stretch | undefined {
  if (count <= partWords) return undefined;
  let best: Stretch | undefined;
  for (let start = 0; start + partWords / 2 < count; start += partWords / 2) {
    const length = Math.min(partWords, count - start);
    const { values, first, last } = numbersOf(length, perWord.subarray(start, start + length), isDecoded);
    const score = scoreOf(values, coefficients);
    if (!best || score > best.score) best = { score, first: start + first, last: start + last };
  }
  return best;
}

/** Sums of weights are divided by this. */
const unit = 100;

type Window = { sum: number; end: number };

/** The window of `width` words between the words `from` and `to` with the greatest sum. None is 0. */
export function bestOf(count: number, perWord: ArrayLike<number>, width: number, from: number, to: number): Window {
  if (width === 0 || to - from < width) return { sum: 0, end: 0 };
  let sum = 0;
  let best = { sum: Number.NEGATIVE_INFINITY, end: from };
  for (let i = from; i < to && i < count; i++) {
    sum += perWord[i] ?? 0;
    if (i - from >= width) sum -= perWord[i - width] ?? 0;
    if (i - from >= width - 1 && sum > best.sum) best = { sum, end: i + 1 };
  }
  return best;
}

/** The best window in what the given windows leave over. */
function outside(count: number, perWord: ArrayLike<number>, width: number, taken: readonly Window[]): Window {
  const sorted = taken.filter(({ end }) => end > 0).sort((a, b) => a.end - b.end);
  let best: Window = { sum: 0, end: 0 };
  let from = 0;
  for (const { end } of [...sorted, { end: count + width }]) {
    const window = bestOf(count, perWord, width, from, Math.min(count, end - width));
    if (window.end > 0 && (best.end === 0 || window.sum > best.sum)) best = window;
    from = end;
  }
  return best;
}

/** The logarithm to base 2, linear between powers of two. */
function roughLog2(value: number): number {
  const whole = 31 - Math.clz32(value);
  return whole + value / 2 ** whole - 1;
}

/** `coefficients`: one for each number, then a constant. `thresholds`: scores from which a text is flagged. */
export type Calibration = { coefficients: readonly number[]; thresholds: { review: number; block: number } };

/** The logarithm of the odds that a text is an attack. */
export function scoreOf(values: ArrayLike<number>, coefficients: readonly number[]): number {
  let score = coefficients[numberCount] ?? 0;
  for (let i = 0; i < numberCount; i++) score += (values[i] ?? 0) * (coefficients[i] ?? 0);
  return score;
}

/** Points of the finding at the threshold for `review`, right below the one for `block`, and from there on. */
const [reviewPoints, blockPoints, blockPointsMax] = [25, 75, 100];
/** With the points of a secret that moves no money they do not reach `block`. */
export const reviewPointsMax = 57;

/** The points that a score adds to the verdict's. */
export function pointsOf(score: number, { review, block }: Calibration["thresholds"]): number {
  if (score >= block) return Math.min(blockPointsMax, blockPoints + Math.floor(5 * (score - block)));
  const share = (score - review) / (block - review);
  return reviewPoints + Math.floor(share * (reviewPointsMax - reviewPoints));
}
