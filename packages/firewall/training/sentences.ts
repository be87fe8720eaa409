import { wordsOf } from "../src/prompt/read-words.ts";
import { eachSentence, featureBuffer, readSentence, sentenceFeatures } from "../src/prompt/sentences.ts";
import { clean } from "../src/text/unfold.ts";
import type { Draw } from "./attack-carriers.ts";
import { randomFrom } from "./attack-grammar.ts";
import { textKey } from "./examples.ts";
import { latentForms, latentLists } from "./latent-parts.ts";
import type { PromptRow } from "./prompt-corpora.ts";
import { sentenceForms, sentenceLists } from "./sentence-parts.ts";
import { filled } from "./wider-rows.ts";
import { writtenHarmless, writtenInstructions, writtenPrompts } from "./written.ts";

/** A sentence as its features. `weight` scales its gradient. */
type Example = { features: Int32Array; label: 0 | 1; weight: number };

const [generatedCount, epochs, rate, decay] = [24_000, 10, 0.08, 2e-5];
const latentShare = 0.25;
const wordsMin = 30;
const [benignWeight, hardWeight, writtenWeight, generatedWeight] = [1, 10, 1, 0.5];
/** In English and in other languages, whose harmless texts are few in the corpora. */
const writtenHarmlessWeights = [3, 4] as const;
const promptWeight = 3;
const [textLengthMax, startBias] = [6_000, -2];
export const sentenceScale = 24;
/** Smaller weights decide little and would lengthen the table by half. */
const weightMin = 2;

/** The sentences of harmless texts, without those that `unseen` has too, and generated and written ones. */
export function sentenceExamples(rows: readonly PromptRow[], unseen: readonly PromptRow[] = []): Example[] {
  const known = new Set(unseen.map(({ text }) => textKey(text)));
  const examples: Example[] = [];
  const add = (text: string, label: 0 | 1, weight: number, min = 0) => {
    const words = wordsOf(clean(text).view.text);
    if (words.count < min) return;
    eachSentence(words, (sentence) => {
      const count = readSentence(words, sentence);
      examples.push({ features: featureBuffer.slice(0, count), label, weight });
    });
  };
  for (const row of rows)
    if (row.label === 0 && !row.quotes_payload && !known.has(textKey(row.text)))
      add(row.text.slice(0, textLengthMax), 0, row.hard === undefined ? benignWeight : hardWeight, wordsMin);
  const random = randomFrom(23);
  const draw: Draw = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number]; // The index is less than the length.
  for (let i = 0; i < generatedCount; i++) {
    const isLatent = random() < latentShare;
    const text = isLatent
      ? filled(draw, draw(latentForms), latentLists)
      : filled(draw, draw(sentenceForms), sentenceLists);
    add(text, 1, generatedWeight);
  }
  for (const text of writtenInstructions()) add(text, 1, writtenWeight);
  for (const [at, texts] of writtenHarmless().entries())
    for (const text of texts) add(text, 0, writtenHarmlessWeights[at] ?? 1);
  for (const text of writtenPrompts()) add(text, 0, promptWeight);
  return examples;
}

/** Logistic regression (AdaGrad). */
export function trainSentences(examples: readonly Example[]): Int8Array {
  const random = randomFrom(29);
  const weights = new Float32Array(sentenceFeatures);
  const squares = new Float32Array(sentenceFeatures).fill(0.1);
  const order = Int32Array.from(examples, (_, index) => index);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    for (const index of order) {
      const example = examples[index];
      if (!example) continue;
      let sum = startBias;
      for (const feature of example.features) sum += weights[feature] ?? 0;
      const step = (example.label - 1 / (1 + Math.exp(-sum))) * example.weight;
      if (Math.abs(step) < 0.002) continue;
      for (const feature of example.features) {
        const gradient = step - decay * (weights[feature] ?? 0);
        squares[feature] = (squares[feature] ?? 0) + gradient * gradient;
        weights[feature] = (weights[feature] ?? 0) + (rate * gradient) / Math.sqrt(squares[feature] ?? 1);
      }
    }
  }
  const rounded = Int8Array.from(weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight * sentenceScale))),
  );
  return rounded.map((weight) => (Math.abs(weight) < weightMin ? 0 : weight));
}
