import { weightBits } from "./likelihood-weights";
import type { Words } from "./words";

/** A text is as suspect as its most suspect stretch of this many words: benign text around it changes nothing. */
export const windowWords = 28;
/** Features that end at one word: the word, with the one before, with the two before, and with the word two and three before. */
export const featuresPerWord = 5;

export type Stretch = { score: number; first: number; last: number };

/** Sum of the weights of the most suspect stretch; weights are whole numbers, so every machine finds the same. */
export function mostSuspect(words: Words, weights: Int8Array): Stretch {
  return bestStretch(words.count, weightPerWord(words.hash, words.count, weights));
}

export function weightPerWord(hashes: Int32Array, count: number, weights: Int8Array): Int32Array {
  const sums = new Int32Array(count);
  const shift = 32 - weightBits;
  let [h1, h2, h3] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const h = hashes[i] ?? 0;
    const pair = Math.imul(h ^ Math.imul(h1, 0x9e3779b1), 0x85ebca6b);
    sums[i] =
      (weights[Math.imul(h, 0x9e3779b1) >>> shift] ?? 0) +
      (weights[pair >>> shift] ?? 0) +
      (weights[Math.imul(pair ^ Math.imul(h2, 0xc2b2ae35), 0x27d4eb2f) >>> shift] ?? 0) +
      (weights[Math.imul(h ^ Math.imul(h2, 0x165667b1), 0xd3a2646d) >>> shift] ?? 0) +
      (weights[Math.imul(h ^ Math.imul(h3, 0xfd7046c5), 0xb55a4f09) >>> shift] ?? 0);
    h3 = h2;
    h2 = h1;
    h1 = h;
  }
  return sums;
}

/** The same places as `weightPerWord` reads, for training. */
export function featuresOf(hashes: Int32Array, count: number): Int32Array {
  const features = new Int32Array(count * featuresPerWord);
  const shift = 32 - weightBits;
  let [h1, h2, h3] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const h = hashes[i] ?? 0;
    const pair = Math.imul(h ^ Math.imul(h1, 0x9e3779b1), 0x85ebca6b);
    features[i * 5] = Math.imul(h, 0x9e3779b1) >>> shift;
    features[i * 5 + 1] = pair >>> shift;
    features[i * 5 + 2] = Math.imul(pair ^ Math.imul(h2, 0xc2b2ae35), 0x27d4eb2f) >>> shift;
    features[i * 5 + 3] = Math.imul(h ^ Math.imul(h2, 0x165667b1), 0xd3a2646d) >>> shift;
    features[i * 5 + 4] = Math.imul(h ^ Math.imul(h3, 0xfd7046c5), 0xb55a4f09) >>> shift;
    h3 = h2;
    h2 = h1;
    h1 = h;
  }
  return features;
}

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
