import { hashOf, WordTable } from "./hashes";
import { wordOf } from "./lexicon";
import { segmented } from "./segments";
import { derived, type View } from "./view";
import type { Words } from "./words";

/** Words an attack can hardly do without; two of them in the same disguise give the disguise away. */
const telling =
  "ignore disregard forget previous prior instructions instruction system prompt reveal password private secret without override everything rules above guidelines commands directions transfer wallet phrase developer restrictions contents attacker balance immediately unrestricted confirmation".split(
    " ",
  );
const tellingMin = 2;
const spacedMin = 5;
const spacedTotalMax = 4096;
const gluedMin = 12;
const gluedTotalMax = 2048;

type Disguise = { of: (word: string) => string[]; undo: (view: View, words: Words) => View };

const swapLetters = (text: string, swap: (letter: number) => number): string => {
  let swapped = "";
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i) | 32;
    swapped += unit >= 97 && unit <= 122 ? String.fromCharCode(97 + swap(unit - 97)) : text.charAt(i);
  }
  return swapped;
};

const byLetter = (hide: (letter: number) => number, show: (letter: number) => number): Disguise => ({
  of: (word) => [swapLetters(word, hide)],
  undo: (view) => inPlace(view, swapLetters(view.text, show)),
});

const backwards = (turn: (letters: string) => string): Disguise => ({
  of: (word) => [turn([...word].reverse().join(""))],
  undo: (view) => {
    const { length } = view.text;
    const text = turn(view.text.split("").reverse().join("").toLowerCase());
    return derived(
      view,
      text,
      Int32Array.from({ length }, (_, i) => length - 1 - i),
      Int32Array.from({ length }, (_, i) => length - i),
    );
  },
});

/** Upside down, n is u, d is p and b is q. */
const upsideDown = (letters: string): string =>
  letters.replace(/[undpbq]/g, (letter) => "undpbq".charAt("undpbq".indexOf(letter) ^ 1));

const pigLatin: Disguise = {
  of: (word) =>
    [1, 2, 3]
      .map((moved) => `${word.slice(moved)}${word.slice(0, moved)}ay`)
      .concat(`${word}way`, `${word}yay`, `${word}hay`),
  undo: (view, words) => rewritten(view, words, (word) => fromPigLatin(word)),
};

const disguises: readonly Disguise[] = [
  ...Array.from({ length: 25 }, (_, by) =>
    byLetter(
      (letter) => (letter + by + 1) % 26,
      (letter) => (letter + 25 - by) % 26,
    ),
  ),
  byLetter(
    (letter) => 25 - letter,
    (letter) => 25 - letter,
  ),
  backwards((letters) => letters),
  backwards(upsideDown),
  pigLatin,
];

const table = new WordTable(
  disguises.flatMap(({ of }, index) =>
    telling.flatMap((word) => of(word).map((hidden) => [hidden, index + 1] as const)),
  ),
);

/** The whole text read again through each disguise it appears to wear; each is only made when it is asked for. */
export function* undisguised(view: View, words: Words): Generator<View> {
  const seen = new Map<number, number>();
  const hashes = new Map<number, number>();
  for (let i = 0; i < words.count; i++) {
    if (words.word[i] !== 0) continue;
    const hash = words.hash[i] ?? 0;
    const index = table.get(hash);
    if (index === 0 || hashes.get(index) === hash) continue;
    hashes.set(index, hash);
    seen.set(index, (seen.get(index) ?? 0) + 1);
  }
  for (const [index, count] of seen) {
    const disguise = disguises[index - 1];
    if (disguise && count >= tellingMin) yield disguise.undo(view, words);
  }
  for (const respelt of [unspaced, unglued, unleeted, spelledOut]) {
    const other = respelt(view, words);
    if (other) yield other;
  }
}

function inPlace(view: View, text: string): View {
  return derived(
    view,
    text,
    Int32Array.from({ length: text.length }, (_, i) => i),
    Int32Array.from({ length: text.length }, (_, i) => i + 1),
  );
}

/** A view made of pieces, each standing for a part of the parent. */
class Pieces {
  private text = "";
  private readonly ends: number[] = [];
  private readonly places: number[] = [];

  add(text: string, from: number, to: number): void {
    this.text += text;
    this.ends.push(this.text.length);
    this.places.push(from, to);
  }

  view(parent: View): View {
    const from = new Int32Array(this.text.length);
    const to = new Int32Array(this.text.length);
    let start = 0;
    for (let piece = 0; piece < this.ends.length; piece++) {
      const end = this.ends[piece] ?? start;
      from.fill(this.places[piece * 2] ?? 0, start, end);
      to.fill(this.places[piece * 2 + 1] ?? 0, start, end);
      start = end;
    }
    return derived(parent, this.text, from, to);
  }
}

function rewritten(view: View, words: Words, rewrite: (word: string) => string): View {
  const pieces = new Pieces();
  for (let i = 0; i < words.count; i++) {
    const [start, end] = [words.start[i] ?? 0, words.end[i] ?? 0];
    pieces.add(`${rewrite(view.text.slice(start, end).toLowerCase())} `, start, end);
  }
  return pieces.view(view);
}

const common = new WordTable(
  "have been with would should could there their about which when make like time just know people into good some than them only come over think also back after work first well even want because these most respond reply sentence phrase letter title movie feedback repeat please words translate english spanish code python execute import person help write create response"
    .split(" ")
    .map((word) => [word, 1] as const),
);
const isCommon = (word: string): boolean => common.get(hashOf(word)) !== 0;
const isKnown = (word: string): boolean => wordOf(hashOf(word)) !== 0;

function fromPigLatin(word: string): string {
  if (word.length < 4 || word.length > 24 || !word.endsWith("ay")) return word;
  const stem = word.slice(0, -2);
  const candidates = [1, 2, 3].map((moved) => stem.slice(-moved) + stem.slice(0, -moved)).concat(stem.slice(0, -1));
  return candidates.find(isKnown) ?? candidates[0] ?? word;
}

/** "i g n o r e", "i-g-n-o-r-e": rows of single letters, joined where the commonest gap stands and cut at other gaps. */
function unspaced(view: View, words: Words): View | undefined {
  if (words.singles < spacedMin) return undefined;
  const { start, end, count } = words;
  const pieces = new Pieces();
  let left = spacedTotalMax;
  for (let first = 0; first < count && left > 0; first++) {
    let last = first;
    while (last < count && last - first < left && (end[last] ?? 0) - (start[last] ?? 0) === 1) last++;
    if (last - first >= spacedMin) addRow(view, words, first, last, pieces);
    left -= last - first;
    first = Math.max(first, last - 1);
  }
  return pieces.view(view);
}

function addRow(view: View, { start, end }: Words, first: number, last: number, pieces: Pieces): void {
  const gapAfter = (i: number): number => {
    const length = (start[i + 1] ?? 0) - (end[i] ?? 0);
    return length === 0 ? 0 : length * 0x10000 + view.text.charCodeAt(end[i] ?? 0);
  };
  const gaps = new Map<number, number>();
  for (let i = first; i + 1 < last; i++) gaps.set(gapAfter(i), (gaps.get(gapAfter(i)) ?? 0) + 1);
  const joint = [...gaps].reduce((most, gap) => (gap[1] > most[1] ? gap : most), [0, 0])[0];
  // Scripts without spaces are no disguise.
  if (joint === 0) return;
  let word = "";
  let wordStart = first;
  for (let i = first; i < last; i++) {
    word += view.text.charAt(start[i] ?? 0).toLowerCase();
    if (i + 1 < last && gapAfter(i) === joint) continue;
    const letters = isKnown(word) || gaps.size > 1 ? word : segmented(word).text;
    pieces.add(`${letters} `, start[wordStart] ?? 0, end[i] ?? 0);
    word = "";
    wordStart = i + 1;
  }
}

/** "ignoreallpreviousinstructions". */
function unglued(view: View, words: Words): View | undefined {
  const pieces = new Pieces();
  let [left, found] = [gluedTotalMax, 0];
  for (let i = 0; i < words.count && left > 0; i++) {
    const [start, end] = [words.start[i] ?? 0, words.end[i] ?? 0];
    if (end - start < gluedMin || words.word[i] !== 0) continue;
    const glued = view.text.slice(start, Math.min(end, start + left));
    left -= glued.length;
    // Names in programs are made of words too.
    if (/[a-z][A-Z]/.test(glued)) continue;
    const { text, known, covered } = segmented(glued.toLowerCase());
    if (known < 3 || covered * 3 < glued.length * 2) continue;
    pieces.add(`${text} `, start, end);
    found++;
  }
  return found > 0 ? { ...pieces.view(view), isGuess: true } : undefined;
}

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
const leetLengthMax = 24;

/** "1gn0r3 pr3v10us": digits and signs for letters, where words come of it. */
function unleeted(view: View, words: Words): View | undefined {
  const { text } = view;
  if (words.mixed === 0 && !/[a-zA-Z][@$!|+][a-zA-Z]/.test(text)) return undefined;
  const plain = new Map<string, string>();
  let hits = 0;
  leetWords(text, (start, end) => {
    const word = text.slice(start, end);
    if (hits >= tellingMin || plain.has(word) || !/[\d@$!|+(%]/.test(word)) return;
    plain.set(word, fromLeet(word.toLowerCase()));
    if (isLeet(word, plain.get(word) ?? word)) hits++;
  });
  if (hits < tellingMin) return undefined;
  const pieces = new Pieces();
  leetWords(text, (start, end) => {
    const word = text.slice(start, end);
    const known = plain.get(word) ?? (/[\d@$!|+(%]/.test(word) ? fromLeet(word.toLowerCase()) : word);
    plain.set(word, known);
    pieces.add(`${known}${text.charAt(end)}`, start, end);
  });
  return pieces.view(view);
}

const isLeet = (word: string, plain: string): boolean =>
  plain !== word.toLowerCase() && plain.length > 3 && (isKnown(plain) || isCommon(plain));

/** Words between spaces and quotes: signs may be letters. Long ones are none. */
function leetWords(text: string, visit: (start: number, end: number) => void): void {
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 32;
    if (unit > 32 && unit !== 34 && unit !== 39 && unit !== 46 && unit !== 44 && unit !== 58 && unit !== 96) continue;
    visit(start, i);
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

const spelling =
  "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu juliet alfa".split(
    " ",
  );
const spellingTable = new WordTable(
  spelling.map((word, index) => [word, index < 26 ? index + 1 : index === 26 ? 10 : 1] as const),
);
const spellingMin = 8;

/** Letters named one by one in the radio alphabet. */
function spelledOut(view: View, words: Words): View | undefined {
  let letters = "";
  let [first, last] = [-1, 0];
  for (let i = 0; i < words.count; i++) {
    const letter = spellingTable.get(words.hash[i] ?? 0);
    if (letter === 0) continue;
    letters += String.fromCharCode(96 + letter);
    if (first < 0) first = i;
    last = i;
  }
  if (letters.length < spellingMin || letters.length > gluedTotalMax) return undefined;
  const pieces = new Pieces();
  pieces.add(segmented(letters).text, words.start[first] ?? 0, words.end[last] ?? 0);
  return pieces.view(view);
}
