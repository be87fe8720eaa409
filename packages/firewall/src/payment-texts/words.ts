import { hashed, hashStart } from "../text/hashes.ts";
import { readBlob } from "./blobs.ts";
import { FOLDED, unmask } from "./characters.ts";
import { hex64Steps, keyPrefixes, SMALL, STEPS_ALL, type Step, stopWords, wordsByHash } from "./patterns.ts";
import { SEED_WORDS_MIN } from "./rules.ts";
import { beginsWith, blobEndOf, holdsKey, isAssigned, isHex64, isMarker, opensTurn } from "./shapes.ts";

/** Whether a text has an instruction to the reader, a secret, or a signed payment. */
export type WordSigns = { isInstructing: boolean; hasSecret: boolean; hasPaymentProof: boolean };

/** Reads the characters once and the words once. The work is linear in the length of the text. */
export function readPlainly(text: string, isPlain: boolean): WordSigns {
  const plain = isPlain ? text : unmask(text);
  const reading: Reading = {
    text: plain,
    count: 0,
    refusedAt: FAR_BACK,
    reached: null,
    seedWords: 0,
    blobEnd: 0,
    found: new Set(),
    askedAt: NEVER,
  };
  readWords(reading);
  const { found: signs } = reading;
  const isKeyFile = plain.includes("-----BEGIN ") && plain.includes("PRIVATE KEY-----");
  return {
    isInstructing: signs.has("instruction") || reading.askedAt !== NEVER,
    hasSecret: signs.has("secret") || isKeyFile || (signs.has("seedRow") && signs.has("seedWord")),
    hasPaymentProof: signs.has("proof"),
  };
}

type Found = "instruction" | "secret" | "seedWord" | "seedRow" | "proof";

type Reading = {
  text: string;
  /** Words so far. */
  count: number;
  refusedAt: number;
  /** By slot: the number of the last word that completed this step. */
  reached: Int32Array | null;
  seedWords: number;
  /** End of the base64 that has been read. */
  blobEnd: number;
  found: Set<Found>;
  /** Number of the word that completed a request, which the next words may still excuse. */
  askedAt: number;
};

const NEVER = -1;
/** A request is excused by a word of `slot` at most this many words later. */
const EXCUSE_REACH = 8;

const FAR_BACK = -1_000_000;
/** A negation such as "never" applies to this many words after it. */
const REFUSAL_REACH = 4;
const LONG_WORD = 14;

function readWords(reading: Reading): void {
  const { text } = reading;
  let start = -1;
  let hash = hashStart;
  let isLower = true;
  let gapStart = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    const folded = code < 128 ? (FOLDED[code] ?? 0) : code;
    if (folded !== 0) {
      if (start === -1) {
        if (index - gapStart > 2) reading.seedWords = 0;
        start = index;
        hash = hashStart;
        isLower = true;
      }
      if (code < 97 || code > 122) isLower = false;
      hash = hashed(hash, folded);
    } else if (start !== -1) {
      readWord(reading, start, index, hash & SMALL, isLower);
      start = -1;
      gapStart = index;
      if (code !== 32 && code !== 10 && code !== 13 && code !== 44) reading.seedWords = 0;
    }
  }
}

function readWord(reading: Reading, start: number, end: number, hash: number, isLower: boolean): void {
  const length = end - start;
  reading.count++;
  countSeedWord(reading, isLower && length >= 3 && length <= 8 && !stopWords.has(hash));
  if (length >= LONG_WORD || reading.text.charCodeAt(end) === 45) readLongWord(reading, start, end);
  const entry = wordsByHash.get(hash);
  if (entry === undefined || !isSameWord(reading.text, start, end, entry.word)) return;
  const { classes } = entry;
  advance(reading, entry.steps);
  if (classes.has("not")) reading.refusedAt = reading.count;
  if (classes.has("slot") && reading.count - reading.askedAt <= EXCUSE_REACH) reading.askedAt = NEVER;
  if (classes.has("phraseWord")) reading.found.add("seedWord");
  if (classes.has("role") && opensTurn(reading.text, start, end)) reading.found.add("instruction");
  if (classes.has("marker") && isMarker(reading.text, start, end)) reading.found.add("instruction");
  if (classes.has("password") && isAssigned(reading.text, end)) reading.found.add("secret");
}

/** Only the last word of each step is kept: a later one can complete every pattern that an earlier one can. */
function advance(reading: Reading, steps: readonly Step[]): void {
  reading.reached ??= new Int32Array(STEPS_ALL).fill(FAR_BACK);
  const { reached, count } = reading;
  for (const { slot, isFirst, isLast, pattern } of steps) {
    const isRefused = pattern.unless !== undefined && count - reading.refusedAt <= REFUSAL_REACH;
    const follows = isFirst ? !isRefused : count - (reached[slot - 1] ?? FAR_BACK) <= pattern.gap;
    if (!follows) continue;
    reached[slot] = count;
    if (!isLast) continue;
    if (pattern.means === "request") reading.askedAt = count;
    else reading.found.add(pattern.means);
  }
}

function isSameWord(text: string, start: number, end: number, expectedWord: string): boolean {
  return end - start === expectedWord.length && text.slice(start, end).toLowerCase() === expectedWord;
}

function countSeedWord(reading: Reading, couldBe: boolean): void {
  reading.seedWords = couldBe ? reading.seedWords + 1 : 0;
  if (reading.seedWords >= SEED_WORDS_MIN) reading.found.add("seedRow");
}

function readLongWord(reading: Reading, start: number, end: number): void {
  const { text } = reading;
  if (isHex64(text, start, end)) advance(reading, hex64Steps);
  const prefixes = reading.found.has("secret") ? undefined : keyPrefixes.get(text.charCodeAt(start));
  for (const [prefix, following] of prefixes ?? []) {
    const from = start + prefix.length;
    if (beginsWith(text, prefix, start) && holdsKey(text, from, following)) reading.found.add("secret");
  }
  if (start < reading.blobEnd || !(beginsWith(text, "ey", start) || beginsWith(text, "ew", start))) return;
  reading.blobEnd = blobEndOf(text, start);
  const blob = readBlob(text.slice(start, reading.blobEnd));
  if (blob === "proof") reading.found.add("proof");
  if (blob === "token") reading.found.add("secret");
}
