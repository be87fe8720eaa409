import { createHash } from "node:crypto";
import { featuresOf, featuresPerWord, summed, windowWords } from "../src/prompt/likelihood.ts";
import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { wordsOf } from "../src/prompt/read-words.ts";
import { bestOf } from "../src/prompt/score.ts";
import { clean } from "../src/text/unfold.ts";
import { generatedSamples, type Sample } from "./generated-samples.ts";
import { grouped } from "./grouped.ts";
import { isHarmless, kindOf, type PromptRow } from "./prompt-corpora.ts";
import { embedded, randomFrom } from "./random.ts";

/** A text as the indexes of its features. `key` is the same for texts that differ only in case, spaces and signs. */
export type Example = Omit<Sample, "text"> & { features: Int32Array; count: number; key: string };

const [epochs, meanEpochs, rate, decay] = [6, 3, 0.06, 1e-5];
/** Attacks no longer than this, in UTF-16 units, are also trained on inside so many harmless texts, cut at this length. */
const [embedLengthMax, embedCount, hostLengthMax] = [400, 2, 2500];
/** Texts are cut here: what follows teaches little, and costs as much. */
const textLengthMax = 6_000;
/** Scenarios and harmful questions cannot be recognised by their wording, so they count little. */
const vagueWeight = 0.1;
/** False alarms must be rare, most of all on harmless texts that resemble attacks, so these rows count more. */
const [benignWeight, hardWeight] = [4, 8];
/** Attacks of a source count as much as this many, more or less by the square root: no source dominates. */
const [usualCount, balanceMin, balanceMax] = [300, 0.35, 2];
/** Texts that the model is sure about are left out of every other pass. */
const sureStep = 0.005;
const startBias = -3;
const scale = 48;
const stepsMin = 2;

/** A text with its features, as the scanner computes them. */
function exampleOf({ text, label, weight, sources }: Sample): Example {
  const words = wordsOf(clean(text).view.text);
  const features = featuresOf(words).slice();
  return { features, count: words.count, label, weight, sources, key: textKey(text) };
}

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

/** The examples to train on: the rows, short attacks inside harmless texts, and generated rows. */
export function examplesOf(rows: readonly PromptRow[], seed: number): Example[] {
  const random = randomFrom(11 + seed);
  const benign = rows.filter(isHarmless);
  const attacks = grouped(
    rows.filter(({ label }) => label === 1),
    ({ source }) => source,
  );
  const samples = rows.flatMap((row): Sample[] => {
    if (row.quotes_payload) return [];
    const weight = weightOf(row, attacks.get(row.source)?.length ?? 1);
    const isVague = row.label === 1 && kindOf(row) === "other";
    const plain: Sample = { text: row.text.slice(0, textLengthMax), label: row.label, weight, sources: [row.source] };
    if (row.label === 0 || row.text.length > embedLengthMax || isVague) return [plain];
    const inHosts = Array.from({ length: embedCount }, (): Sample[] => {
      const host = benign[Math.floor(random() * benign.length)];
      if (!host) return [];
      const text = embedded(random, row.text, host.text.slice(0, hostLengthMax));
      return [{ text, label: 1, weight, sources: [row.source, host.source] }];
    });
    return [plain, ...inHosts.flat()];
  });
  return [...samples, ...generatedSamples(5 + seed, rows)].map(exampleOf);
}

function weightOf(row: PromptRow, ofSource: number): number {
  if (row.label === 0) return row.hard === undefined ? benignWeight : hardWeight;
  const balance = Math.min(balanceMax, Math.max(balanceMin, Math.sqrt(usualCount / ofSource)));
  return kindOf(row) === "other" ? vagueWeight : balance;
}

/**
 * Logistic regression (AdaGrad) on the most suspect stretch of each text. The stretch is recomputed with the current weights. Returns the mean of the
 * weights after each of the last passes: it varies less with the order of the texts than the last ones alone.
 */
export function train(examples: readonly Example[], seed: number): Float32Array {
  const random = randomFrom(7 + seed);
  const weights = new Float32Array(1 << weightBits);
  const means = new Float32Array(1 << weightBits);
  const squares = new Float32Array(1 << weightBits).fill(0.1);
  const order = Int32Array.from(examples, (_, index) => index);
  const isSure = new Uint8Array(examples.length);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const index of order) {
      const example = examples[index];
      if (!example || example.count === 0 || (isSure[index] === 1 && epoch % 2 === 1)) continue;
      const { features, count } = example;
      const width = Math.min(windowWords, count);
      const sums = summed(features, count, weights, new Float64Array(count));
      const { sum, end } = bestOf(count, sums, width, 0, count);
      const step = (example.label - 1 / (1 + Math.exp(-(sum + startBias)))) * example.weight;
      isSure[index] = Math.abs(step) < sureStep ? 1 : 0;
      if (isSure[index] === 1) continue;
      for (let f = (end - width) * featuresPerWord; f < end * featuresPerWord; f++) {
        const at = features[f] ?? -1;
        if (at < 0) continue;
        const gradient = step - decay * (weights[at] ?? 0);
        squares[at] = (squares[at] ?? 0) + gradient * gradient;
        weights[at] = (weights[at] ?? 0) + (rate * gradient) / Math.sqrt(squares[at] ?? 1);
      }
    }
    if (epoch < epochs - meanEpochs) continue;
    for (const [index, weight] of weights.entries()) means[index] = (means[index] ?? 0) + weight / meanEpochs;
  }
  return means;
}

/** The weights as they are stored: one signed byte each, in steps of 1/48. The smallest ones would only take room. */
export function roundedWeights(weights: Float32Array): Int8Array {
  return Int8Array.from(weights, (weight) => {
    const steps = Math.max(-127, Math.min(127, Math.round(weight * scale)));
    return Math.abs(steps) < stepsMin ? 0 : steps;
  });
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
}
