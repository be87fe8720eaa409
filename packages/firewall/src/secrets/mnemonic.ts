import { sha256 } from "viem";
import { english } from "viem/accounts";
import { WordTable } from "../text/hashes.ts";
import type { Words } from "../text/words.ts";

const table = new WordTable(english.map((word, index) => [word, index + 1] as const));
const lengths = [24, 21, 18, 15, 12];
const lengthMin = 12;
/** Longest gap between two words of a phrase, in units: a space, a comma, a line number. */
const gapMax = 8;
/** Bounds the checksums computed per text: in a text of list words only, each word starts several candidates. */
const checksMax = 64;

type Found = { first: number; last: number };

/**
 * Recovery phrases: 12 to 24 words in a row from the BIP-39 list with a valid checksum, as first and last word. One
 * checksum in sixteen is valid by chance, and words around a phrase can be in the list too, so candidates with natural
 * ends are tried first. Others with a valid checksum are taken too, since no word of a phrase may remain visible,
 * unless they extend a found phrase past a mark that does not occur inside it.
 */
export function mnemonics(text: string, words: Words): Found[] {
  const rows = rowsOf(text, words);
  const phrases: Found[] = [];
  let checks = 0;
  for (const edges of rows.length > 0 ? [2, 1, 0] : [])
    for (const row of rows) {
      const naturalStretches: Stretch[] = [];
      for (const stretch of stretches(row, edges)) {
        if (row.found.some((phrase) => contains(phrase, stretch) || isOutreach(row, phrase, stretch))) continue;
        if (checks++ >= checksMax) return phrases;
        const { from, to } = stretch;
        if (!isValid(row.words.slice(from, to).map((i) => table.get(words.hash[i] ?? 0) - 1))) continue;
        phrases.push({ first: row.words[from] ?? 0, last: row.words[to - 1] ?? 0 });
        // Only a candidate with two natural ends can rule out others.
        if (edges === 2) naturalStretches.push(stretch);
      }
      row.found.push(...naturalStretches);
    }
  return phrases;
}

/** Consecutive words that are in the list. */
type Row = {
  words: number[];
  /** Per word: a hash of the gap before it, and whether the gap separates sentences. */
  gaps: Int32Array;
  parts: Uint8Array;
  /** Whether a stretch that starts (or ends) here has a natural end: the end of the row, or a change of gaps. */
  begins: Uint8Array;
  ends: Uint8Array;
  found: Stretch[];
};

/** Indexes of words of a row. `to` is exclusive. */
type Stretch = { from: number; to: number };

/**
 * All rows. Any row covers a window of the minimal length, so most windows are skipped after reading their last word.
 */
function rowsOf(text: string, words: Words): Row[] {
  const rows: Row[] = [];
  const isListed = (i: number) => table.get(words.hash[i] ?? 0) !== 0;
  const mayStand = (i: number) => isListed(i) || isLineNumber(text, words.start[i] ?? 0, words.end[i] ?? 0);
  for (let from = 0; from + lengthMin <= words.count; ) {
    let last = from + lengthMin - 1;
    while (last >= from && mayStand(last)) last--;
    if (last >= from) {
      from = last + 1;
      continue;
    }
    const row: number[] = [];
    let end = words.start[from] ?? 0;
    for (; from < words.count && mayStand(from); from++) {
      if (!isListed(from)) continue;
      if (row.length > 0 && (words.start[from] ?? 0) - end > gapMax) break;
      row.push(from);
      end = words.end[from] ?? 0;
    }
    if (row.length >= lengthMin) rows.push(rowOf(text, words, row));
  }
  return rows;
}

function rowOf(text: string, words: Words, row: number[]): Row {
  const gaps = new Int32Array(row.length);
  const parts = new Uint8Array(row.length);
  for (let index = 1; index < row.length; index++) {
    let [hash, lines] = [0, 0];
    const from = words.end[row[index - 1] ?? 0] ?? 0;
    for (let i = from; i < (words.start[row[index] ?? 0] ?? 0); i++) {
      const unit = text.charCodeAt(i);
      const isNumber = isDigit(unit);
      // Numbers of a list differ, and full stops after them end no sentence.
      if (!isNumber) hash = Math.imul(hash ^ unit, 0x01000193) + 1;
      if (unit === NEWLINE) lines++;
      if (
        lines > 1 ||
        (unit > SPACE && !isNumber && !joins(unit) && !(unit === STOP && isDigit(text.charCodeAt(i - 1))))
      )
        parts[index] = 1;
    }
    gaps[index] = hash;
  }
  const begins = new Uint8Array(row.length).fill(1, 0, 1);
  const ends = new Uint8Array(row.length + 1).fill(1, row.length);
  for (let index = 1; index < row.length; index++) {
    if (index + 1 < row.length && gaps[index] !== gaps[index + 1]) begins[index] = 1;
    if (index > 1 && gaps[index] !== gaps[index - 1]) ends[index] = 1;
  }
  return { words: row, gaps, parts, begins, ends, found: [] };
}

const [NEWLINE, SPACE, BRACKET, COMMA, DASH, STOP] = [10, 32, 41, 44, 45, 46];
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const joins = (unit: number): boolean => unit === COMMA || unit === DASH || unit === BRACKET;

/** Stretches of the lengths of a phrase with exactly `edges` natural ends. */
function* stretches({ words: wordIndexes, begins, ends }: Row, edges: number): Generator<Stretch> {
  const count = wordIndexes.length;
  for (let from = 0; from + lengthMin <= count; from++) {
    // Every start is tried only when no natural end is required.
    if (edges > 0 && begins[from] === 0) continue;
    for (const length of lengths) {
      const to = from + length;
      if (to <= count && (begins[from] ?? 0) + (ends[to] ?? 0) === edges) yield { from, to };
    }
  }
  if (edges !== 1) return;
  for (let to = lengthMin; to <= count; to++) {
    if (ends[to] === 0) continue;
    for (const length of lengths) if (begins[to - length] === 0) yield { from: to - length, to };
  }
}

const contains = (outer: Stretch, inner: Stretch): boolean => outer.from <= inner.from && inner.to <= outer.to;

/** Whether a stretch overlaps a known phrase and extends past a sentence mark that the phrase does not have. */
function isOutreach({ parts, gaps }: Row, phrase: Stretch, { from, to }: Stretch): boolean {
  if (to <= phrase.from || phrase.to <= from) return false;
  return [phrase.from, phrase.to].some((border) => {
    const gap = gaps[border];
    if (border <= from || border >= to || gap === undefined || parts[border] !== 1) return false;
    return gaps.indexOf(gap, from + 1) === border && gaps.lastIndexOf(gap, to - 1) === border;
  });
}

function isLineNumber(text: string, start: number, end: number): boolean {
  return end - start <= 2 && text.charCodeAt(start) < 58 && text.charCodeAt(end - 1) < 58;
}

/** 11 bits per word: the entropy, then its checksum, 1/33 of all bits, from the SHA-256 of the entropy. */
function isValid(indexes: readonly number[]): boolean {
  const checkBits = indexes.length / 3;
  const bytes = new Uint8Array((indexes.length * 11 + 7) >> 3);
  let [buffer, filled, length] = [0, 0, 0];
  for (const index of indexes) {
    buffer = ((buffer << 11) | index) & 0x7ffff;
    for (filled += 11; filled >= 8; filled -= 8) bytes[length++] = buffer >> (filled - 8);
  }
  if (filled > 0) bytes[length] = buffer << (8 - filled);
  const entropyBytes = (indexes.length * 11 - checkBits) >> 3;
  const [first = 0] = sha256(bytes.subarray(0, entropyBytes), "bytes");
  return first >> (8 - checkBits) === (bytes[entropyBytes] ?? 0) >> (8 - checkBits);
}
