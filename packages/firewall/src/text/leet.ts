import { isCommon } from "./common-words.ts";
import { hashed, hashOf, hashStart } from "./hashes.ts";
import { wordOf } from "./lexicon.ts";
import { Pieces } from "./pieces.ts";
import type { View } from "./view.ts";
import type { Words } from "./words.ts";

/** Number of different words in leet from which the text is read again. */
const hitsMin = 2;
/** In units: the part that is read again, from a little before the first such word. */
const [readBefore, readLengthMax] = [600, 8000];

const [leetSigns, leetLetters] = ["0123456789@$!|+(%", "oizeasgtbgasiitcx"];
const leetUnit = new Uint8Array(128);
for (let i = 0; i < leetSigns.length; i++) leetUnit[leetSigns.charCodeAt(i)] = leetLetters.charCodeAt(i);
const [leetLengthMin, leetLengthMax] = [3, 24];
/** Kinds of units. Words are separated by spaces and quotes; other signs can be letters. */
const [SIGN, JOINT] = [1, 2];
const kinds = new Uint8Array(128).fill(JOINT, 0, 33);
for (const sign of "\"'.,:`") kinds[sign.charCodeAt(0)] = JOINT;
for (const sign of leetSigns) kinds[sign.charCodeAt(0)] = SIGN;
const [LETTER_I, LETTER_L] = [105, 108];

/** Undoes "1gn0r3 pr3v10us": digits and signs in place of letters, where the result is a known word. */
export function unleeted(view: View, words: Words): View | undefined {
  const { text } = view;
  if (words.mixes === 0 && !words.isSigned) return undefined;
  const { hits, first } = leetIn(text, words);
  if (hits < hitsMin) return undefined;
  const plain = new Map<string, string>();
  const pieces = new Pieces();
  const from = text.lastIndexOf(" ", Math.max(0, first - readBefore)) + 1;
  const to = Math.min(text.length, from + readLengthMax);
  let [start, isSigned] = [from, false];
  for (let i = from; i <= to; i++) {
    const kind = kindAt(text, i, to);
    if (kind === SIGN) isSigned = true;
    if (kind !== JOINT) continue;
    const word = text.slice(start, i);
    const plainWord = plain.get(word) ?? (isSigned ? fromLeet(word.toLowerCase()) : word);
    plain.set(word, plainWord);
    pieces.add(`${plainWord}${text.charAt(i)}`, start, Math.max(start + 1, i));
    isSigned = false;
    start = i + 1;
  }
  return pieces.view(view);
}

/** The number of different words in leet, counted up to `hitsMin`, and the start of the first. */
function leetIn(text: string, words: Words): { hits: number; first: number } {
  const { units, start, end, mixed, mixes, mark, marks } = words;
  const none = text.length;
  const leetWords: string[] = [];
  let [first, done] = [0, 0];
  // Every candidate has a mixed word or a sign. It is extended from there in both directions.
  for (let m = 0, k = 0; (m < mixes || k < marks) && leetWords.length < hitsMin; ) {
    const wordIndex = m < mixes ? (mixed[m] ?? 0) : -1;
    const [wordAt, sign] = [wordIndex < 0 ? none : (start[wordIndex] ?? 0), k < marks ? (mark[k] ?? none) : none];
    let index = Math.max(done, Math.min(wordAt, sign));
    // Words include apostrophes; words in leet do not.
    const limit = wordAt < sign ? (end[wordIndex] ?? 0) : sign + 1;
    if (wordAt < sign) m++;
    else k++;
    for (; index < limit && leetWords.length < hitsMin; index = done + 1) {
      let from = index;
      while (from > 0 && index - from <= leetLengthMax && kindOf(units[from - 1] ?? 0) !== JOINT) from--;
      for (done = index; done < none && kindOf(units[done] ?? 0) !== JOINT; ) done++;
      if (done - from < leetLengthMin || done - from > leetLengthMax || !isLeet(units, from, done)) continue;
      const leetWord = text.slice(from, done);
      if (leetWords.length === 0) first = from;
      if (!leetWords.includes(leetWord)) leetWords.push(leetWord);
    }
  }
  return { hits: leetWords.length, first };
}

/** Whether the units from `start` to `end` are a known word with signs in place of letters (see `fromLeet`). */
function isLeet(units: Uint16Array, start: number, end: number): boolean {
  let [plain, alternative, letters, signs] = [hashStart, hashStart, 0, 0];
  const to = isMark(units[end - 1] ?? 0) ? end - 1 : end;
  for (let i = start; i < to; i++) {
    const unit = units[i] ?? 0;
    const lower = unit >= 65 && unit <= 90 ? unit + 32 : unit;
    const letter = unit < 128 ? (leetUnit[unit] ?? 0) : 0;
    if (lower >= 97 && lower <= 122) letters++;
    if (letter !== 0) signs++;
    plain = hashed(plain, letter === 0 ? lower : letter);
    alternative = hashed(alternative, letter === LETTER_I ? LETTER_L : letter === 0 ? lower : letter);
  }
  return signs > 0 && letters > 0 && to - start >= leetLengthMin && (isWord(plain) || isWord(alternative));
}

/** The kind of the unit at `i`. The end of the text separates words too. */
function kindAt(text: string, i: number, end: number): number {
  if (i >= end) return JOINT;
  return kindOf(text.charCodeAt(i));
}

const kindOf = (unit: number): number => (unit < 128 ? (kinds[unit] ?? 0) : 0);

/** Signs that can follow a word without being a letter. */
const isMark = (unit: number): boolean => unit === 33 || unit === 40 || unit === 43 || unit === 124;
const isWord = (hash: number): boolean => wordOf(hash) !== 0 || isCommon(hash);

function fromLeet(word: string): string {
  if (word.length < 2 || word.length > leetLengthMax) return word;
  let [plain, alternative, letters, signs] = ["", "", 0, 0];
  const end = isMark(word.charCodeAt(word.length - 1)) ? word.length - 1 : word.length;
  for (let i = 0; i < end; i++) {
    const unit = word.charCodeAt(i);
    const letter = unit < 128 ? (leetUnit[unit] ?? 0) : 0;
    if (unit >= 97 && unit <= 122) letters++;
    if (letter !== 0) signs++;
    plain += letter === 0 ? word.charAt(i) : String.fromCharCode(letter);
    alternative += letter === LETTER_I ? "l" : letter === 0 ? word.charAt(i) : String.fromCharCode(letter);
  }
  if (signs === 0 || (letters === 0 && signs < 3)) return word;
  return !isWord(hashOf(plain)) && isWord(hashOf(alternative)) ? alternative : plain;
}
