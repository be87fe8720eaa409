import type { Words } from "../text/words.ts";
import { weightBits } from "./likelihood-weights.ts";
import { roleOf, rolesMax } from "./roles.ts";

/**
 * The length of a stretch in words. A text scores as its most suspect stretch, so harmless text around an attack does
 * not lower the score.
 */
export const windowWords = 28;
/**
 * Features per word: the word, the two and the three words that end with it, its pairs with the words two and three
 * before, and the roles (see `roles.ts`) of it and the words before it that have one: as a pair in order and in any
 * order, and as a group of three.
 */
export const featuresPerWord = 8;

/** The sum of weights by word. The result is overwritten by the next call. */
export function weightPerWord(words: Words, weights: Int8Array): Int32Array {
  if (sums.length < words.count) sums = new Int32Array(words.count);
  return summed(featuresOf(words), words.count, weights, sums);
}

/** Writes the sum of weights of each word into `perWord`. */
export function summed<Sums extends Int32Array | Float64Array>(
  features: Int32Array,
  count: number,
  weights: ArrayLike<number>,
  perWord: Sums,
): Sums {
  for (let i = 0, f = 0; i < count; i++) {
    let sum = 0;
    for (const end = f + featuresPerWord; f < end; f++) {
      const index = features[f] ?? -1;
      if (index >= 0) sum += weights[index] ?? 0;
    }
    perWord[i] = sum;
  }
  return perWord;
}

/** Reused for every text. */
let [sums, scratch] = [new Int32Array(1024), new Int32Array(1024 * featuresPerWord)];

/**
 * The offset at which the words of a text are numbered: far above those of the text before, so that `recent` needs no
 * clearing.
 */
function placesFor(count: number): number {
  if (nextPlace + count > placesMax) {
    recentWords.fill(0);
    recentPairs.fill(0);
    recentRoles.fill(0);
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
 * The indexes of the features of each word. -1 means the start of the text, because an attack can be anywhere, and a word that
 * occurred recently, because repetition makes no text worse. The result is overwritten by the next call.
 */
export function featuresOf(words: Words): Int32Array {
  const { hash: hashes, count } = words;
  if (scratch.length < count * featuresPerWord) scratch = new Int32Array(count * featuresPerWord);
  const features = scratch.fill(-1, 0, count * featuresPerWord);
  const [lastWord, lastPair] = [recentWords, recentPairs];
  const from = placesFor(count);
  let [h1, h2, h3] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const h = hashes[i] ?? 0;
    const two = hashPair(h, h1);
    const index = i * featuresPerWord;
    if (from + i - (lastWord[h & recentMask] ?? 0) >= windowWords) features[index] = single(h);
    if (i > 0 && from + i - (lastPair[two & recentMask] ?? 0) >= windowWords) {
      features[index + 1] = two >>> shift;
      if (i > 1) features[index + 2] = triple(two, h2);
      if (i > 1) features[index + 3] = apart(h, h2);
      if (i > 2) features[index + 4] = farApart(h, h3);
    }
    lastWord[h & recentMask] = from + i;
    lastPair[two & recentMask] = from + i;
    h3 = h2;
    h2 = h1;
    h1 = h;
  }
  setRoles(words, from, features);
  return features.subarray(0, count * featuresPerWord);
}

function setRoles({ known: knownIndexes, knowns, word: wordIds }: Words, from: number, features: Int32Array): void {
  const roles = roleOf;
  let [at1, role1, at2, role2] = [-rolesGapMax, 0, -rolesGapMax, 0];
  for (let k = 0; k < knowns; k++) {
    const index = knownIndexes[k] ?? 0;
    const role = roles[wordIds[index] ?? 0] ?? 0;
    if (role === 0) continue;
    if (index - at1 < pairGapMax) {
      const pair = role1 * rolesMax + role;
      if (from + index - (recentRoles[pair] ?? 0) >= windowWords) {
        features[index * featuresPerWord + 5] = rolePair(pair);
        features[index * featuresPerWord + 6] = roleSet(role1, role);
        if (index - at2 < rolesGapMax) features[index * featuresPerWord + 7] = roleTriple(role, role1, role2);
      }
      recentRoles[pair] = from + index;
    }
    at2 = at1;
    role2 = role1;
    at1 = index;
    role1 = role;
  }
}

/** In words: how far the words of a pair, and the first and the last of three, are apart at most. */
const [pairGapMax, rolesGapMax] = [7, 12];

/** By a part of its hash: where a word occurred last. Words that share a slot can hide each other. */
const recentSlots = 1024;
const recentMask = recentSlots - 1;
const [recentWords, recentPairs] = [new Int32Array(recentSlots), new Int32Array(recentSlots)];
/** By pair of roles: where it occurred last. */
const recentRoles = new Int32Array(rolesMax * rolesMax);
const shift = 32 - weightBits;
const rolePair = (pair: number): number => Math.imul(pair + 0x10001, 0x9e3779b1) >>> shift;
/** The same in any order. */
const roleSet = (a: number, b: number): number => Math.imul(spread(a) + spread(b), 0x85ebca6b) >>> shift;
const roleTriple = (a: number, b: number, c: number): number =>
  Math.imul(spread(a) + spread(b) + spread(c) + 1, 0xd3a2646d) >>> shift;
const spread = (role: number): number => Math.imul(role + 0x1001, Math.imul(role, 0x27d4eb2f) | 1);
const single = (h: number): number => Math.imul(h, 0x9e3779b1) >>> shift;
const hashPair = (h: number, h1: number): number => Math.imul(h ^ Math.imul(h1, 0x9e3779b1), 0x85ebca6b);
const triple = (two: number, h2: number): number => Math.imul(two ^ Math.imul(h2, 0xc2b2ae35), 0x27d4eb2f) >>> shift;
const apart = (h: number, h2: number): number => Math.imul(h ^ Math.imul(h2, 0x165667b1), 0xd3a2646d) >>> shift;
const farApart = (h: number, h3: number): number => Math.imul(h ^ Math.imul(h3, 0xfd7046c5), 0xb55a4f09) >>> shift;

/** A part of a stretch and what it weighs. */
export type Part = { first: number; last: number; weight: number };

const partsMax = 5;

/** The parts of the words `first` to `last` that weigh most, heaviest first. */
export function heaviestParts(perWord: ArrayLike<number>, first: number, last: number): Part[] {
  const parts: Part[] = [];
  let open: Part | undefined;
  for (let i = first; i <= last; i++) {
    const weight = perWord[i] ?? 0;
    if (weight <= 0) open = undefined;
    else if (open) {
      open.last = i;
      open.weight += weight;
    } else {
      open = { first: i, last: i, weight };
      parts.push(open);
    }
  }
  return parts.sort((a, b) => b.weight - a.weight || a.first - b.first).slice(0, partsMax);
}
