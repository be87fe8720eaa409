import type { Words } from "../text/words.ts";
import { weightBits } from "./likelihood-weights.ts";

/**
 * The length of a stretch in words. A text scores as its most suspect stretch, so harmless text around an attack does
 * not lower the score.
 */
export const windowWords = 28;
/**
 * Sums of weights at which a stretch counts as an attack: `likelihood` is reached by few harmless texts,
 * `likelihoodHigh` by hardly any. A longer text has more stretches to choose from, so its `likelihood` threshold is
 * higher, by up to `rise` at four stretches.
 */
export const thresholds = { likelihood: 128, rise: 100, likelihoodHigh: 260 } as const;
/**
 * Features per word: the word, the two and the three words that end with it, and its pairs with the words two and three
 * before.
 */
export const featuresPerWord = 5;

export type Stretch = { score: number; first: number; last: number };

/**
 * The most suspect stretch and the sum of its weights. Weights are integers, so every machine gets the same sum. Words
 * for which `leftOut` is true weigh nothing.
 */
export function mostSuspect(words: Words, weights: Int8Array, leftOut?: (word: number) => boolean): Stretch {
  const perWord = weightPerWord(words.hash, words.count, weights);
  if (leftOut) for (let i = 0; i < words.count; i++) if (leftOut(i)) perWord[i] = 0;
  return bestStretch(words.count, perWord);
}

/** The sum of weights by word. The result is overwritten by the next call. */
export function weightPerWord(hashes: Int32Array, count: number, weights: Int8Array): Int32Array {
  if (scratch.length < count) scratch = new Int32Array(count);
  const [sums, lastWord, lastPair] = [scratch, recentWords, recentPairs];
  const from = placesFor(count);
  let [h1, h2, h3] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const h = hashes[i] ?? 0;
    const two = both(h, h1);
    let sum = 0;
    if (from + i - (lastWord[h & recentMask] ?? 0) >= windowWords) sum += weights[single(h)] ?? 0;
    if (i > 0 && from + i - (lastPair[two & recentMask] ?? 0) >= windowWords) {
      sum += weights[two >>> shift] ?? 0;
      if (i > 1) sum += (weights[triple(two, h2)] ?? 0) + (weights[apart(h, h2)] ?? 0);
      if (i > 2) sum += weights[farApart(h, h3)] ?? 0;
    }
    sums[i] = sum;
    lastWord[h & recentMask] = from + i;
    lastPair[two & recentMask] = from + i;
    h3 = h2;
    h2 = h1;
    h1 = h;
  }
  return sums;
}

/** Reused for every text. */
let scratch = new Int32Array(1024);

/**
 * The offset at which the words of a text are numbered: far above those of the text before, so that `recent` needs no
 * clearing.
 */
function placesFor(count: number): number {
  if (nextPlace + count > placesMax) {
    recentWords.fill(0);
    recentPairs.fill(0);
    nextPlace = windowWords;
  }
  const from = nextPlace;
  nextPlace += count + windowWords;
  return from;
}

/** 30 bits: engines store these integers without allocating. */
const placesMax = 2 ** 30;
let nextPlace: number = windowWords;

/**
 * The features that `weightPerWord` reads, for training. -1 means the start of the text, because an attack can be
 * anywhere, and for a word that occurred recently, because repetition makes no text worse.
 */
export function featuresOf(hashes: Int32Array, count: number): Int32Array {
  const features = new Int32Array(count * featuresPerWord).fill(-1);
  const lastWord = new Int32Array(recentSlots).fill(-windowWords);
  const lastPair = new Int32Array(recentSlots).fill(-windowWords);
  for (let i = 0; i < count; i++) {
    const [h = 0, h1 = 0, h2 = 0, h3 = 0] = [hashes[i], hashes[i - 1], hashes[i - 2], hashes[i - 3]];
    const two = both(h, h1);
    const at = i * featuresPerWord;
    const isNewPair = i - (lastPair[two & recentMask] ?? 0) >= windowWords;
    if (i - (lastWord[h & recentMask] ?? 0) >= windowWords) features[at] = single(h);
    if (isNewPair && i > 0) features[at + 1] = two >>> shift;
    if (isNewPair && i > 1) features[at + 2] = triple(two, h2);
    if (isNewPair && i > 1) features[at + 3] = apart(h, h2);
    if (isNewPair && i > 2) features[at + 4] = farApart(h, h3);
    lastWord[h & recentMask] = i;
    lastPair[two & recentMask] = i;
  }
  return features;
}

/** By a part of its hash: where a word occurred last. Words that share a slot can hide each other. */
const recentSlots = 1024;
const recentMask = recentSlots - 1;
const [recentWords, recentPairs] = [new Int32Array(recentSlots), new Int32Array(recentSlots)];
const shift = 32 - weightBits;
const single = (h: number): number => Math.imul(h, 0x9e3779b1) >>> shift;
const both = (h: number, h1: number): number => Math.imul(h ^ Math.imul(h1, 0x9e3779b1), 0x85ebca6b);
const triple = (two: number, h2: number): number => Math.imul(two ^ Math.imul(h2, 0xc2b2ae35), 0x27d4eb2f) >>> shift;
const apart = (h: number, h2: number): number => Math.imul(h ^ Math.imul(h2, 0x165667b1), 0xd3a2646d) >>> shift;
const farApart = (h: number, h3: number): number => Math.imul(h ^ Math.imul(h3, 0xfd7046c5), 0xb55a4f09) >>> shift;

export function bestStretch(count: number, perWord: ArrayLike<number>): Stretch {
  let sum = 0;
  const best = { score: Number.NEGATIVE_INFINITY, first: 0, last: -1 };
  for (let i = 0; i < count; i++) {
    sum += perWord[i] ?? 0;
    if (i >= windowWords) sum -= perWord[i - windowWords] ?? 0;
    // A stretch has `windowWords` words, or all of a shorter text.
    if ((i >= windowWords - 1 || i === count - 1) && sum > best.score) {
      best.score = sum;
      best.first = Math.max(0, i - windowWords + 1);
      best.last = i;
    }
  }
  return best;
}
