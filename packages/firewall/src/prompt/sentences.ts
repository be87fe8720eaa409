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
export const read = new Int32Array(WORDS);
let reads = 0;
const itemSense = new Uint8Array(itemsMax);
const itemPlace = new Int32Array(itemsMax);

function note(feature: number): void {
  if (seenIn[feature] === sentencesRead) return;
  seenIn[feature] = sentencesRead;
  read[reads++] = feature;
}

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

/** Puts the features of a sentence into `read` and returns how many there are. */
export function readSentence(words: Words, { first, last }: Sentence): number {
  const { units, start, end, sense, count } = words;
  if (++sentencesRead > 2 ** 30) {
    seenIn.fill(0);
    sentencesRead = 1;
  }
  reads = 0;
  let items = 0;
  for (let i = first; i <= last && items < itemsMax - signsMax; i++) {
    const at = start[i] ?? 0;
    let one = sense[i] ?? 0;
    const unit = units[at] ?? 0;
    if (one === 0 && unit >= 48 && unit <= 57) one = signSenses.figure;
    if (one !== 0) {
      itemSense[items] = one;
      itemPlace[items++] = i;
    }
    const to = i + 1 < count ? (start[i + 1] ?? 0) : (end[i] ?? 0) + 1;
    for (let k = end[i] ?? 0; k < to && k < (end[i] ?? 0) + signsMax; k++) {
      const sign = (units[k] ?? 0) < 128 ? (signs[units[k] ?? 0] ?? 0) : 0;
      if (sign === 0) continue;
      itemSense[items] = sign;
      itemPlace[items++] = i;
    }
  }
  const [one, two] = [sense[first] ?? 0, first < last ? (sense[first + 1] ?? 0) : 0];
  note(FIRST + one);
  note(SECOND + two);
  note(START + one * S + two);
  note(LENGTH + Math.min(lengthsMax - 1, (last - first) >> 2));
  for (let k = 0; k < items; k++) {
    const [a, place] = [itemSense[k] ?? 0, itemPlace[k] ?? 0];
    note(SENSE + a);
    for (let j = k - 1; j >= Math.max(0, k - pairsMax) && place - (itemPlace[j] ?? 0) <= pairGapMax; j--) {
      const b = itemSense[j] ?? 0;
      note(PAIR + (a < b ? a * S + b : b * S + a));
      if (j === k - 1 && place - (itemPlace[j] ?? 0) <= nextGapMax) note(NEXT + b * S + a);
    }
  }
  noteWords(words, first, last);
  return reads;
}

/** A word that occurs twice counts twice. */
function noteWords({ hash, sense }: Words, first: number, last: number): void {
  read[reads++] = pairOf(hash[first] ?? 0, BEGINS);
  read[reads++] = pairOf(hash[last] ?? 0, ENDS);
  for (let i = first; i <= last; i++) {
    const word = hash[i] ?? 0;
    read[reads++] = pairOf(word, ALONE);
    if (i === last) break;
    const [next, own, following] = [hash[i + 1] ?? 0, sense[i] ?? 0, sense[i + 1] ?? 0];
    read[reads++] = pairOf(word, next);
    if (own !== 0) read[reads++] = pairOf(AFTER_SENSE + own, next);
    if (following !== 0) read[reads++] = pairOf(word, BEFORE_SENSE + following);
    if (i + 2 <= last) read[reads++] = pairOf(word, (hash[i + 2] ?? 0) ^ BETWEEN);
  }
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
  const { count } = words;
  const sentence = { first: 0, last: -1 };
  for (let i = 0; i < count; i++) {
    sentence.last = i;
    if (i + 1 < count && i - sentence.first + 1 < sentenceWordsMax && !endsAfter(words, i)) continue;
    visit(sentence);
    sentence.first = i + 1;
  }
}
