import { isCommon } from "./common-words";
import { hashed, hashOf, hashStart } from "./hashes";
import { wordOf } from "./lexicon";
import { Pieces } from "./pieces";
import type { View } from "./view";
import type { Words } from "./words";

/** So many different words are worth reading the text again, and so many are no accident. */
const [hitsMin, hitsMax] = [2, 3];
/** How much of the text is read again: from a little before the first such word on. */
const [readBefore, readLengthMax] = [600, 8000];

const leet = new Map(
  Object.entries({
    "0": "o",
    "1": "i",
    "2": "z",
    "3": "e",
    "4": "a",
    "5": "s",
    "6": "g",
    "7": "t",
    "8": "b",
    "9": "g",
    "@": "a",
    $: "s",
    "!": "i",
    "|": "i",
    "+": "t",
    "(": "c",
    "%": "x",
  }),
);
const leetUnit = new Uint8Array(128);
for (const [sign, letter] of leet) leetUnit[sign.charCodeAt(0)] = letter.charCodeAt(0);
const [leetLengthMin, leetLengthMax] = [3, 24];
/** Words stand between spaces and quotes: other signs may be letters. */
const [SIGN, JOINT] = [1, 2];
const kinds = new Uint8Array(128).fill(JOINT, 0, 33);
for (const sign of "\"'.,:`") kinds[sign.charCodeAt(0)] = JOINT;
for (const sign of leet.keys()) kinds[sign.charCodeAt(0)] = SIGN;
const [LETTER_I, LETTER_L] = [105, 108];

/** "1gn0r3 pr3v10us": digits and signs for letters, where words come of it. */
export function unleeted(view: View, words: Words): View | undefined {
  const { text } = view;
  if (words.mixed === 0 && !words.isSigned) return undefined;
  const { hits, first } = leetIn(text, words.units);
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
    const known = plain.get(word) ?? (isSigned ? fromLeet(word.toLowerCase()) : word);
    plain.set(word, known);
    pieces.add(`${known}${text.charAt(i)}`, start, Math.max(start + 1, i));
    isSigned = false;
    start = i + 1;
  }
  return { ...pieces.view(view), isMixed: true, isWorn: hits >= hitsMax };
}

/** How many different words in leet there are, counted until they are enough, and where the first one begins. */
function leetIn(text: string, units: Uint16Array): { hits: number; first: number } {
  const found: string[] = [];
  const [kindOf, end] = [kinds, text.length];
  let [start, isSigned, first] = [0, false, 0];
  for (let i = 0; i <= end && found.length < hitsMax; i++) {
    const unit = i < end ? (units[i] ?? 0) : 0;
    const kind = unit < 128 ? (kindOf[unit] ?? 0) : 0;
    if (kind === 0) continue;
    if (kind === SIGN) {
      isSigned = true;
      continue;
    }
    if (isSigned && i - start >= leetLengthMin && i - start <= leetLengthMax && isLeet(units, start, i)) {
      const word = text.slice(start, i);
      if (found.length === 0) first = start;
      if (!found.includes(word)) found.push(word);
    }
    isSigned = false;
    start = i + 1;
  }
  return { hits: found.length, first };
}

/** Whether the units from `start` to `end` spell a word with signs in place of some letters: see `fromLeet`. */
function isLeet(units: Uint16Array, start: number, end: number): boolean {
  let [plain, other, letters, signs] = [hashStart, hashStart, 0, 0];
  const to = isMark(units[end - 1] ?? 0) ? end - 1 : end;
  for (let i = start; i < to; i++) {
    const unit = units[i] ?? 0;
    const lower = unit >= 65 && unit <= 90 ? unit + 32 : unit;
    const letter = unit < 128 ? (leetUnit[unit] ?? 0) : 0;
    if (lower >= 97 && lower <= 122) letters++;
    if (letter !== 0) signs++;
    plain = hashed(plain, letter === 0 ? lower : letter);
    other = hashed(other, letter === LETTER_I ? LETTER_L : letter === 0 ? lower : letter);
  }
  return signs > 0 && letters > 0 && to - start >= leetLengthMin && (isWord(plain) || isWord(other));
}

/** What the unit at `i` is to a word; at the text's end words end, too. */
function kindAt(text: string, i: number, end: number): number {
  if (i >= end) return JOINT;
  const unit = text.charCodeAt(i);
  return unit < 128 ? (kinds[unit] ?? 0) : 0;
}

/** A word may end in one of these without meaning a letter. */
const isMark = (unit: number): boolean => unit === 33 || unit === 40 || unit === 43 || unit === 124;
const isWord = (hash: number): boolean => wordOf(hash) !== 0 || isCommon(hash);

function fromLeet(word: string): string {
  if (word.length < 2 || word.length > leetLengthMax) return word;
  let [plain, other, letters, signs] = ["", "", 0, 0];
  const end = isMark(word.charCodeAt(word.length - 1)) ? word.length - 1 : word.length;
  for (let i = 0; i < end; i++) {
    const unit = word.charCodeAt(i);
    const letter = unit < 128 ? (leetUnit[unit] ?? 0) : 0;
    if (unit >= 97 && unit <= 122) letters++;
    if (letter !== 0) signs++;
    plain += letter === 0 ? word.charAt(i) : String.fromCharCode(letter);
    other += letter === LETTER_I ? "l" : letter === 0 ? word.charAt(i) : String.fromCharCode(letter);
  }
  if (signs === 0 || (letters === 0 && signs < 3)) return word;
  return !isWord(hashOf(plain)) && isWord(hashOf(other)) ? other : plain;
}
