import type { Words } from "../text/words.ts";
import { weightBits } from "./likelihood-weights.ts";

/** A text is as suspect as its most suspect stretch of this many words: benign text around it changes nothing. */
export const windowWords = 28;
/**
 * Sums of weights from which a stretch resembles an attack: what few benign texts, and what hardly any reach. A longer
 * text has more stretches, of which the most suspect is judged: from one stretch to four the first of them rises.
 */
export const thresholds = { likelihood: 128, rise: 100, likelihoodHigh: 260 } as const;
/** Features that end at one word: the word, with the one before, with the two before, and with the word two and three before. */
export const featuresPerWord = 5;

export type Stretch = { score: number; first: number; last: number };

/**
 * Sum of the weights of the most suspect stretch; weights are whole numbers, so every machine finds the same. Words
 * that are `leftOut` weigh nothing.
 */
export function mostSuspect(words: Words, weights: Int8Array, leftOut?: (word: number) => boolean): Stretch {
  const perWord = weightPerWord(words.hash, words.count, weights);
  if (leftOut) for (let i = 0; i < words.count; i++) if (leftOut(i)) perWord[i] = 0;
  return bestStretch(words.count, perWord);
}

/** The sums stand there until the next text's are asked for. */
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

/** Filled anew for each text. */
let scratch = new Int32Array(1024);

/** The place that a text of `count` words begins at: far behind the last one's, so that no word of that was met lately. */
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

/** Engines keep integers of 30 bits without allocating. */
const placesMax = 2 ** 30;
let nextPlace: number = windowWords;

/**
 * The same places as `weightPerWord` reads, for training. -1 stands where the text begins, for an attack may stand
 * anywhere, and for what was said a moment ago, for repeating a word makes it no worse.
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

/** Where a word was last met, by its hash; two words that share a slot hide each other now and then. */
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
    // A stretch is whole, or the whole text.
    if ((i >= windowWords - 1 || i === count - 1) && sum > best.score) {
      best.score = sum;
      best.first = Math.max(0, i - windowWords + 1);
      best.last = i;
    }
  }
  return best;
}
