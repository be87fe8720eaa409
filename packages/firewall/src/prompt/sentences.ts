import type { Words } from "../text/words.ts";
import { sensesMax, signSenses } from "./senses.ts";

/** A sentence: words `first` to `last`. */
export type Sentence = { first: number; last: number };

/** Longer sentences are read in parts of this many words. */
const sentenceWordsMax = 48;
/** In words: how far apart the words of a pair and of neighbours are at most. */
const [pairGapMax, nextGapMax] = [14, 3];
const lengthsMax = 8;
/** Bounds the work: senses per sentence, those before each that it is paired with, and signs between two words. */
const [itemsMax, pairsMax, signsMax] = [64, 12, 2];

/**
 * Features of a sentence: its length, the senses (see `senses.ts`) that it has, those of its first two words, each pair
 * of senses in any order, and each two senses that follow one another. Then, hashed: its words, the first of them, each two
 * words that follow one another or have one between them, and each word with the sense of the next or of the one before.
 */
const S = sensesMax;
const [SENSE, FIRST, SECOND, LENGTH, PAIR, NEXT, START] = [
  0,
  S,
  2 * S,
  3 * S,
  3 * S + lengthsMax,
  3 * S + lengthsMax + S * S,
  3 * S + lengthsMax + 2 * S * S,
];
const WORDS = 3 * S + lengthsMax + 3 * S * S;
const wordBits = 19;
export const sentenceFeatures = WORDS + (1 << wordBits);

/** Number of the feature of two hashes in this order; other pairs may share it. */
const pairOf = (a: number, b: number): number =>
  WORDS + (Math.imul(Math.imul(a ^ 0x9e3779b1, 0x85ebca6b) ^ b, 0xc2b2ae35) >>> (32 - wordBits));
/** What a pair has in place of a hash. The last two are added to the number of a sense. */
const [ALONE, BEGINS, ENDS, BETWEEN, AFTER_SENSE, BEFORE_SENSE] = [1, 9, 7, 0x55, 1000, 5000];

/** By feature of senses: the number of the last sentence that had it, so that none counts twice. */
const seenIn = new Int32Array(WORDS);
let sentencesRead = 0;
/** The features of the last sentence that was read: always fewer than there are features of senses. */
export const featureBuffer = new Int32Array(WORDS);
const itemSense = new Uint8Array(itemsMax);
const itemPlace = new Int32Array(itemsMax);

/** Signs by unit: the sense that they have. */
const signs = new Uint8Array(128);
for (const [letters, sense] of [
  ["\"`'", signSenses.quote],
  [":", signSenses.colon],
  ["@", signSenses.at],
  ["([{<", signSenses.bracket],
  ["?", signSenses.question],
  ["!", signSenses.exclamation],
  ["$", signSenses.figure],
] as const)
  for (const letter of letters) signs[letter.charCodeAt(0)] = sense;

/** Puts the features of a sentence into `featureBuffer` and returns how many there are. */
export function readSentence(words: Words, { first, last }: Sentence): number {
  const { units, start, end, sense, count } = words;
  // Local copies: engines look up module variables at every use.
  const [senses, places, signOf] = [itemSense, itemPlace, signs];
  if (++sentencesRead > 2 ** 30) {
    seenIn.fill(0);
    sentencesRead = 1;
  }
  let items = 0;
  for (let i = first; i <= last && items < itemsMax - signsMax; i++) {
    const index = start[i] ?? 0;
    let one = sense[i] ?? 0;
    const unit = units[index] ?? 0;
    if (one === 0 && unit >= 48 && unit <= 57) one = signSenses.figure;
    if (one !== 0) {
      senses[items] = one;
      places[items++] = i;
    }
    const from = end[i] ?? 0;
    const to = Math.min(from + signsMax, i + 1 < count ? (start[i + 1] ?? 0) : from + 1);
    for (let k = from; k < to; k++) {
      const between = units[k] ?? 0;
      const sign = between < 128 ? (signOf[between] ?? 0) : 0;
      if (sign === 0) continue;
      senses[items] = sign;
      places[items++] = i;
    }
  }
  const [one, two] = [sense[first] ?? 0, first < last ? (sense[first + 1] ?? 0) : 0];
  // Four different features.
  featureBuffer[0] = FIRST + one;
  featureBuffer[1] = SECOND + two;
  featureBuffer[2] = START + one * S + two;
  featureBuffer[3] = LENGTH + Math.min(lengthsMax - 1, (last - first) >> 2);
  return noteWords(words, first, last, noteSenses(items, 4));
}

/** By sense, as two bit sets, for at most 64: the senses that it is paired with in the sentence so far. */
const [pairedLow, pairedHigh] = [new Int32Array(S), new Int32Array(S)];
/** By sense: how many of the items that the current one is paired with have it. */
const nearbyCounts = new Uint8Array(S);

/** Notes the senses and pairs of senses of the items, from place `from` of `featureBuffer` on. Returns the place after them. */
function noteSenses(items: number, from: number): number {
  const [senses, places, lastSentences, into, sentenceNumber] = [
    itemSense,
    itemPlace,
    seenIn,
    featureBuffer,
    sentencesRead,
  ];
  pairedLow.fill(0);
  pairedHigh.fill(0);
  nearbyCounts.fill(0);
  // The items before the current one that it is paired with begin at `lowest`; `low` and `high` are their senses.
  let [reads, lowest, low, high] = [from, 0, 0, 0];
  for (let k = 0; k < items; k++) {
    const a = senses[k] ?? 0;
    const place = places[k] ?? 0;
    if (lastSentences[SENSE + a] !== sentenceNumber) {
      lastSentences[SENSE + a] = sentenceNumber;
      into[reads++] = SENSE + a;
    }
    for (; lowest < k && (k - lowest > pairsMax || place - (places[lowest] ?? 0) > pairGapMax); lowest++) {
      const droppedSense = senses[lowest] ?? 0;
      const remainingCount = (nearbyCounts[droppedSense] ?? 0) - 1;
      nearbyCounts[droppedSense] = remainingCount;
      if (remainingCount > 0) continue;
      if (droppedSense < 32) low &= ~(1 << droppedSense);
      else high &= ~(1 << droppedSense);
    }
    const isNew = ((low & ~(pairedLow[a] ?? 0)) | (high & ~(pairedHigh[a] ?? 0))) !== 0;
    for (let j = k - 1, to = isNew ? lowest : Math.max(lowest, k - 1); j >= to; j--) {
      const b = senses[j] ?? 0;
      const pair = PAIR + (a < b ? a * S + b : b * S + a);
      if (lastSentences[pair] !== sentenceNumber) {
        lastSentences[pair] = sentenceNumber;
        into[reads++] = pair;
        if (a < 32) pairedLow[b] = (pairedLow[b] ?? 0) | (1 << a);
        else pairedHigh[b] = (pairedHigh[b] ?? 0) | (1 << a);
      }
      if (j < k - 1 || place - (places[j] ?? 0) > nextGapMax) continue;
      const next = NEXT + b * S + a;
      if (lastSentences[next] === sentenceNumber) continue;
      lastSentences[next] = sentenceNumber;
      into[reads++] = next;
    }
    pairedLow[a] = (pairedLow[a] ?? 0) | low;
    pairedHigh[a] = (pairedHigh[a] ?? 0) | high;
    nearbyCounts[a] = (nearbyCounts[a] ?? 0) + 1;
    if (a < 32) low |= 1 << a;
    else high |= 1 << a;
  }
  return reads;
}

/** The same for words. A word that occurs twice counts twice. */
function noteWords({ hash, sense }: Words, first: number, last: number, from: number): number {
  const into = featureBuffer;
  let reads = from;
  let wordHash = hash[first] ?? 0;
  into[reads++] = pairOf(wordHash, BEGINS);
  into[reads++] = pairOf(hash[last] ?? 0, ENDS);
  for (let i = first; i <= last; i++) {
    into[reads++] = pairOf(wordHash, ALONE);
    if (i === last) break;
    const [next, currentSense, following] = [hash[i + 1] ?? 0, sense[i] ?? 0, sense[i + 1] ?? 0];
    into[reads++] = pairOf(wordHash, next);
    if (currentSense !== 0) into[reads++] = pairOf(AFTER_SENSE + currentSense, next);
    if (following !== 0) into[reads++] = pairOf(wordHash, BEFORE_SENSE + following);
    if (i + 2 <= last) into[reads++] = pairOf(wordHash, (hash[i + 2] ?? 0) ^ BETWEEN);
    wordHash = next;
  }
  return reads;
}

const [NEWLINE, SPACE, DOT, EXCLAMATION, QUESTION] = [10, 32, 46, 33, 63];
const isLower = (unit: number): boolean => (unit >= 97 && unit <= 122) || unit > 127;

/** Whether a sentence ends between word i and the next. A line that goes on in lower case is one that was wrapped. */
function endsAfter({ units, start, end }: Words, i: number): boolean {
  const next = start[i + 1] ?? 0;
  let [isStop, isSpaced, lines] = [false, false, 0];
  for (let k = end[i] ?? 0; k < next; k++) {
    const unit = units[k] ?? 0;
    if (unit === DOT || unit === EXCLAMATION || unit === QUESTION) isStop = true;
    else if (unit === NEWLINE) lines++;
    else if (unit === SPACE && isStop) isSpaced = true;
  }
  return (isStop && isSpaced) || lines > 1 || (lines === 1 && (isStop || !isLower(units[next] ?? 0)));
}

/** Calls `visit` with each sentence. The object is reused. */
export function eachSentence(words: Words, visit: (sentence: Sentence) => void): void {
  const { count, units, start, end } = words;
  const sentence = { first: 0, last: -1 };
  let first = 0;
  for (let i = 0; i < count; i++) {
    if (i + 1 < count && i - first + 1 < sentenceWordsMax) {
      const wordEnd = end[i] ?? 0;
      // The common case: a single space.
      if ((start[i + 1] ?? 0) - wordEnd === 1 && units[wordEnd] !== NEWLINE) continue;
      if (!endsAfter(words, i)) continue;
    }
    sentence.first = first;
    sentence.last = i;
    visit(sentence);
    first = i + 1;
  }
}
