import { isCommon } from "./common-words";
import { isKnown } from "./lexicon";
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

/** "1gn0r3 pr3v10us": digits and signs for letters, where words come of it. */
export function unleeted(view: View, words: Words): View | undefined {
  const { text } = view;
  if (words.mixed === 0 && !/[a-zA-Z][@$!|+][a-zA-Z]/.test(text)) return undefined;
  const plain = new Map<string, string>();
  let [hits, first] = [0, 0];
  leetWords(text, 0, text.length, (start, end, isSigned) => {
    if (!isSigned || hits >= hitsMax || end - start < leetLengthMin || end - start > leetLengthMax) return;
    const word = text.slice(start, end);
    if (plain.has(word)) return;
    const known = fromLeet(word.toLowerCase());
    plain.set(word, known);
    if (!isLeet(word.toLowerCase(), known)) return;
    if (hits === 0) first = start;
    hits++;
  });
  if (hits < hitsMin) return undefined;
  const pieces = new Pieces();
  const from = text.lastIndexOf(" ", Math.max(0, first - readBefore)) + 1;
  leetWords(text, from, Math.min(text.length, from + readLengthMax), (start, end, isSigned) => {
    const word = text.slice(start, end);
    const known = plain.get(word) ?? (isSigned ? fromLeet(word.toLowerCase()) : word);
    plain.set(word, known);
    pieces.add(`${known}${text.charAt(end)}`, start, end);
  });
  return { ...pieces.view(view), isMixed: true, ...(hits >= hitsMax && { isWorn: true }) };
}

const isLeet = (word: string, plain: string): boolean =>
  plain !== word && plain.length >= leetLengthMin && /[a-z]/.test(word) && (isKnown(plain) || isCommon(plain));

/** Words between spaces and quotes: signs may be letters. Long ones are none. */
function leetWords(
  text: string,
  from: number,
  to: number,
  visit: (start: number, end: number, isSigned: boolean) => void,
): void {
  let [start, isSigned] = [from, false];
  for (let i = from; i <= to; i++) {
    const unit = i < to ? text.charCodeAt(i) : 32;
    if (unit < 128 && leetUnit[unit] !== 0) isSigned = true;
    if (unit > 32 && unit !== 34 && unit !== 39 && unit !== 46 && unit !== 44 && unit !== 58 && unit !== 96) continue;
    visit(start, i, isSigned);
    isSigned = false;
    start = i + 1;
  }
}

function fromLeet(word: string): string {
  if (word.length < 2 || word.length > leetLengthMax) return word;
  let [plain, other, letters, signs] = ["", "", 0, 0];
  const end = /[!|+(]$/.test(word) ? word.length - 1 : word.length;
  for (let i = 0; i < end; i++) {
    const unit = word.charCodeAt(i);
    const letter = unit < 128 ? (leetUnit[unit] ?? 0) : 0;
    if (unit >= 97 && unit <= 122) letters++;
    if (letter !== 0) signs++;
    plain += letter === 0 ? word.charAt(i) : String.fromCharCode(letter);
    other += letter === 105 ? "l" : letter === 0 ? word.charAt(i) : String.fromCharCode(letter);
  }
  if (signs === 0 || (letters === 0 && signs < 3)) return word;
  const isWord = (letters: string) => isKnown(letters) || isCommon(letters);
  return !isWord(plain) && isWord(other) ? other : plain;
}
