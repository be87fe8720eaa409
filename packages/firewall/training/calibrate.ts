import { type Calibration, numberCount, scoreOf } from "../src/prompt/score.ts";
import type { Scored } from "./cross.ts";
import { grouped } from "./grouped.ts";
import { isHarmless, kindOf } from "./prompt-corpora.ts";

/** A reading, its label, and how much it counts. */
type Point = { values: Float64Array; label: 0 | 1; weight: number; fold: number };

/** The texts of one source and form count as this many at most, by the square root above it. */
const usualCount = 150;
const [hostedWeight, disguisedWeight] = [0.5, 0.5];
const [ridge, rounds] = [1e-4, 40];

export const isFalseAlarmPart = ({ row }: Scored): boolean => isHarmless(row);
const isRecognisable = ({ row }: Scored): boolean => row.label === 1 && kindOf(row) !== "other";
const groupOf = ({ row, form }: Scored): string => `${row.source} ${row.label} ${form}`;

function pointsOf(texts: readonly Scored[]): Point[] {
  const groups = grouped(texts, groupOf);
  return texts.flatMap((text): Point[] => {
    const { readings, fold, form } = text;
    const base = Math.sqrt(shareOf(text, groups));
    if (isFalseAlarmPart(text)) return readings.map((values) => ({ values, label: 0, weight: base, fold }));
    if (!isRecognisable(text)) return [];
    if (form !== "disguised") {
      const [values] = readings;
      return values ? [{ values, label: 1, weight: form === "hosted" ? base * hostedWeight : base, fold }] : [];
    }
    const decoded = readings.slice(1).sort((a, b) => (b[0] ?? 0) - (a[0] ?? 0))[0];
    return decoded ? [{ values: decoded, label: 1, weight: base * disguisedWeight, fold }] : [];
  });
}

const shareOf = (text: Scored, groups: ReadonlyMap<string, readonly Scored[]>): number =>
  Math.min(1, usualCount / (groups.get(groupOf(text))?.length ?? 1));

/** The coefficients by all texts but those of a fold. */
export function fitted(texts: readonly Scored[], leftOut?: number): number[] {
  return regressed(pointsOf(texts).filter(({ fold }) => fold !== leftOut));
}

/** Logistic regression by Newton's method on standardised numbers. */
function regressed(points: readonly Point[]): number[] {
  const width = numberCount + 1;
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  const momentOf = (index: number, around: number, power: number): number =>
    points.reduce((sum, { values, weight }) => sum + weight * ((values[index] ?? 0) - around) ** power, 0) / total;
  const means = Array.from({ length: numberCount }, (_, index) => momentOf(index, 0, 1));
  const spreads = means.map((mean, index) => Math.sqrt(momentOf(index, mean, 2)) || 1);
  const standard = points.map(({ values }) =>
    Float64Array.from({ length: width }, (_, index) =>
      index === numberCount ? 1 : ((values[index] ?? 0) - (means[index] ?? 0)) / (spreads[index] ?? 1),
    ),
  );
  const solution = new Float64Array(width);
  for (let round = 0; round < rounds; round++) {
    const gradient = Float64Array.from(solution, (value, index) => (index < numberCount ? ridge * value : 0));
    const hessian = Array.from({ length: width }, (_, index) => {
      const row = new Float64Array(width);
      row[index] = index < numberCount ? ridge : 1e-9;
      return row;
    });
    for (const [index, { label, weight }] of points.entries()) {
      const x = standard[index] ?? new Float64Array(width);
      const chance = 1 / (1 + Math.exp(-x.reduce((sum, value, k) => sum + value * (solution[k] ?? 0), 0)));
      const share = weight / total;
      for (let i = 0; i < width; i++) {
        gradient[i] = (gradient[i] ?? 0) + share * (chance - label) * (x[i] ?? 0);
        const row = hessian[i];
        const part = share * chance * (1 - chance) * (x[i] ?? 0);
        if (row) for (let k = 0; k < width; k++) row[k] = (row[k] ?? 0) + part * (x[k] ?? 0);
      }
    }
    const step = solved(hessian, gradient);
    for (let i = 0; i < width; i++) solution[i] = (solution[i] ?? 0) - (step[i] ?? 0);
    if (Math.max(...step.map(Math.abs)) < 1e-7) break;
  }
  const slopes = Array.from({ length: numberCount }, (_, index) => (solution[index] ?? 0) / (spreads[index] ?? 1));
  const constant = slopes.reduce((sum, slope, index) => sum - slope * (means[index] ?? 0), solution[numberCount] ?? 0);
  return [...slopes, constant].map((value) => Math.round(value * 1e6) / 1e6);
}

/** Solves a linear system by elimination. Changes its arguments. */
function solved(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  for (let column = 0; column < size; column++) {
    const pivot = matrix[column];
    if (!pivot) break;
    for (let row = column + 1; row < size; row++) {
      const below = matrix[row];
      if (!below) continue;
      const factor = (below[column] ?? 0) / (pivot[column] ?? 1);
      for (let k = column; k < size; k++) below[k] = (below[k] ?? 0) - factor * (pivot[k] ?? 0);
      right[row] = (right[row] ?? 0) - factor * (right[column] ?? 0);
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    let value = right[row] ?? 0;
    for (let k = row + 1; k < size; k++) value -= (matrix[row]?.[k] ?? 0) * (right[k] ?? 0);
    right[row] = value / (matrix[row]?.[row] ?? 1);
  }
  return right;
}

/** A text with the score of its most suspect reading. */
export type Judged = Scored & { score: number };

/** The scores of the texts, each by coefficients that were fitted to the other folds. */
export function judged(texts: readonly Scored[]): Judged[] {
  const byFold = new Map<number, number[]>();
  return texts.map((text) => {
    const coefficients = byFold.get(text.fold) ?? fitted(texts, text.fold);
    byFold.set(text.fold, coefficients);
    return { ...text, score: highest(text, coefficients) };
  });
}

export const highest = ({ readings }: Scored, coefficients: readonly number[]): number =>
  Math.max(...readings.map((values) => scoreOf(values, coefficients)));

/** What the protocol allows, and how much hard texts weigh in all. */
const [allMax, easyMax, hardMax, hardShare, blockMax] = [0.01, 0.003, 0.05, 0.2, 0.0002];
const isForbiddenToBlock = ({ row }: Scored): boolean => row.cat === "code" || row.cat === "legal";

/** The lowest thresholds that the protocol allows. */
export function thresholdsFrom(texts: readonly Judged[]): Calibration["thresholds"] {
  const harmless = texts.filter(isFalseAlarmPart);
  const hard = ratesOf(harmless.filter(({ row }) => row.hard !== undefined));
  const easy = ratesOf(harmless.filter(({ row }) => row.hard === undefined));
  const all = (score: number): number => hardShare * hard(score) + (1 - hardShare) * easy(score);
  const scores = harmless.map(({ score }) => score).sort((a, b) => a - b);
  const lowest = (isAllowed: (score: number) => boolean): number => {
    const found = scores.find((score) => isAllowed(score + margin)) ?? scores.at(-1) ?? 0;
    return Math.ceil((found + margin) * 100) / 100;
  };
  const forbidden = Math.max(...harmless.filter(isForbiddenToBlock).map(({ score }) => score));
  return {
    review: lowest((score) => all(score) <= allMax && easy(score) <= easyMax && hard(score) <= hardMax),
    block: lowest((score) => all(score) <= blockMax && score > forbidden),
  };
}

const margin = 1e-6;

/** The share of texts with at least a score. A source counts as `usualCount` texts of a form at most. */
function ratesOf(texts: readonly Judged[]): (score: number) => number {
  const groups = grouped(texts, groupOf);
  const weighed = texts
    .map((text) => ({ score: text.score, weight: shareOf(text, groups) }))
    .sort((a, b) => b.score - a.score);
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  return (score) => {
    let sum = 0;
    for (const one of weighed) {
      if (one.score < score) break;
      sum += one.weight;
    }
    return sum / total;
  };
}
