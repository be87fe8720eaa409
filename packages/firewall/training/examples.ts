import { createHash } from "node:crypto";
import { bestStretch, featuresOf, featuresPerWord } from "../src/prompt/likelihood.ts";
import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { wordsOf } from "../src/prompt/read-words.ts";
import { undisguised } from "../src/text/disguises.ts";
import { clean } from "../src/text/unfold.ts";
import type { Words } from "../src/text/words.ts";
import { grammarRows, randomFrom } from "./attack-grammar.ts";
import { kindOf, type PromptRow } from "./prompt-corpora.ts";

/**
 * A text as the indexes of its features. `weight` scales its gradient. `sources` are those of its parts, and `key` is
 * the same for texts that differ only in case, spaces and signs.
 */
export type Example = {
  features: Int32Array;
  count: number;
  label: 0 | 1;
  weight: number;
  sources: readonly string[];
  key: string;
};

const [epochs, grammarCount, rate, decay] = [8, 36_000, 0.06, 1e-5];
/** Attacks no longer than this, in UTF-16 units, are also trained on inside a harmless text. */
const embedLengthMax = 400;
/** Scenarios and harmful questions cannot be recognised by their wording, so they count little. */
const vagueWeight = 0.1;
/** False alarms must be rare, most of all on harmless texts that resemble attacks, so these rows count more. */
const [benignWeight, hardWeight, grammarWeight] = [4, 8, 1.5];
const startBias = -3;
const scale = 48;

/** A text with its features, as the scanner computes them. */
export function exampleOf({ text, label, weight, sources }: Sample): Example {
  const words = readable(text);
  const features = featuresOf(words.hash, words.count);
  return { features, count: words.count, label, weight, sources, key: textKey(text) };
}

type Sample = { text: string; label: 0 | 1; weight: number; sources: readonly string[] };

/** Equal for texts that say the same. */
export const textKey = (text: string): string =>
  createHash("sha256")
    .update(
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim(),
    )
    .digest("base64")
    .slice(0, 16);

/** The words as the scanner reads them: digits used as letters are replaced by these letters. */
function readable(text: string): Words {
  const { view } = clean(text);
  const words = wordsOf(view.text);
  const plain = [...undisguised(view, words)].find(({ isGuess }) => isGuess !== true);
  return plain ? wordsOf(plain.text) : words;
}

/** The examples to train on: the rows, short attacks inside harmless texts, and generated rows. */
export function examplesOf(rows: readonly PromptRow[]): Example[] {
  const random = randomFrom(11);
  const benign = rows.filter((row) => row.label === 0 && !row.quotes_payload);
  const samples = rows.flatMap((row): Sample[] => {
    if (row.quotes_payload) return [];
    const weight = weightOf(row);
    const plain: Sample = { text: row.text, label: row.label, weight, sources: [row.source] };
    const host = benign[Math.floor(random() * benign.length)];
    if (row.label === 0 || row.text.length > embedLengthMax || weight < 1 || !host) return [plain];
    const around = host.text.slice(0, 1200);
    const at = Math.max(0, around.indexOf(" ", Math.floor(random() * around.length)));
    const text = `${around.slice(0, at)}\n${row.text}\n${around.slice(at)}`;
    return [plain, { text, label: 1, weight, sources: [row.source, host.source] }];
  });
  const grammar = grammarRows(grammarCount, 3).map(
    ({ text, label }): Sample => ({ text, label, weight: grammarWeight, sources: [] }),
  );
  return [...samples, ...grammar].map(exampleOf);
}

function weightOf(row: PromptRow): number {
  if (row.label === 0) return row.hard === undefined ? benignWeight : hardWeight;
  return kindOf(row) === "other" ? vagueWeight : 1;
}

/** Logistic regression (AdaGrad) on the most suspect stretch of each text. The stretch is recomputed with the current weights. */
export function train(examples: readonly Example[]): Float32Array {
  const random = randomFrom(7);
  const weights = new Float32Array(1 << weightBits);
  const squares = new Float32Array(1 << weightBits).fill(0.1);
  const order = Int32Array.from(examples, (_, index) => index);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const index of order) {
      const example = examples[index];
      if (!example || example.count === 0) continue;
      const { first, last, score } = bestStretch(example.count, sumsOf(example, weights));
      const step = (example.label - 1 / (1 + Math.exp(-(score + startBias)))) * example.weight;
      if (Math.abs(step) < 0.005) continue;
      for (let f = first * featuresPerWord; f < (last + 1) * featuresPerWord; f++) {
        const at = example.features[f] ?? 0;
        const gradient = step - decay * (weights[at] ?? 0);
        squares[at] = (squares[at] ?? 0) + gradient * gradient;
        weights[at] = (weights[at] ?? 0) + (rate * gradient) / Math.sqrt(squares[at] ?? 1);
      }
    }
  }
  return weights;
}

/** The weights as they are stored: one signed byte each, in steps of 1/48. */
export function roundedWeights(weights: Float32Array): Int8Array {
  return Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight * scale))));
}

/** The score of the most suspect stretch of `text`, in the unit of `weights`. */
export function scoreOf(text: string, weights: ArrayLike<number>): number {
  const example = exampleOf({ text, label: 0, weight: 1, sources: [] });
  return example.count === 0 ? 0 : bestStretch(example.count, sumsOf(example, weights)).score;
}

function sumsOf({ features, count }: Example, weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 0, f = 0; i < count; i++) {
    let sum = 0;
    for (const end = f + featuresPerWord; f < end; f++) sum += weights[features[f] ?? 0] ?? 0;
    sums[i] = sum;
  }
  return sums;
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
}
