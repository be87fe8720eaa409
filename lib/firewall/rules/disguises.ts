import { hashOf, WordTable } from "./hashes";
import { wordOf } from "./lexicon";
import { segmented } from "./segments";
import { derived, textOf, type View } from "./view";
import type { Words } from "./words";

/** Words an attack can hardly do without; two of them in the same disguise give the disguise away. */
const telling =
  "ignore disregard forget previous prior instructions instruction system prompt reveal password private secret without override everything rules above guidelines commands directions transfer wallet phrase developer restrictions contents attacker balance immediately unrestricted confirmation".split(
    " ",
  );
const tellingMin = 2;
const spacedMin = 5;
const spacedTotalMax = 2048;
const gluedMin = 12;
const gluedTotalMax = 2048;

/** `undo` reads the units from `start` to `end` of the view. */
type Disguise = {
  of: (word: string) => string[];
  undo: (view: View, words: Words, start: number, end: number) => View;
};

let scratch = new Uint16Array(1024);
function room(length: number): Uint16Array {
  if (scratch.length < length) scratch = new Uint16Array(length);
  return scratch;
}

/** The units from `start` to `end`, small letters exchanged: what letter n stands for is at place n of the table. */
function swapped(text: string, start: number, end: number, letters: Uint8Array): string {
  const codes = room(end - start);
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const lower = unit | 32;
    codes[i - start] = lower >= 97 && lower <= 122 && unit < 128 ? (letters[lower - 97] ?? 0) : unit;
  }
  return textOf(codes, end - start);
}

const lettersBy = (swap: (letter: number) => number): Uint8Array =>
  Uint8Array.from({ length: 26 }, (_, letter) => 97 + swap(letter));

function byLetter(hide: (letter: number) => number, show: (letter: number) => number): Disguise {
  const [hidden, shown] = [lettersBy(hide), lettersBy(show)];
  return {
    of: (word) => [swapped(word, 0, word.length, hidden)],
    undo: (view, _, start, end) => {
      const text = swapped(view.text, start, end, shown);
      const { from, to } = unitsFrom(start, text.length);
      return derived(view, text, from, to);
    },
  };
}

function unitsFrom(start: number, length: number): { from: Int32Array; to: Int32Array } {
  const from = new Int32Array(length);
  const to = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    from[i] = start + i;
    to[i] = start + i + 1;
  }
  return { from, to };
}

function backwards(letters: Uint8Array): Disguise {
  return {
    of: (word) => [swapped([...word].reverse().join(""), 0, word.length, letters)],
    undo: (view, _, start, end) => {
      const plain = swapped(view.text, start, end, letters);
      const length = plain.length;
      const codes = room(length);
      for (let i = 0; i < length; i++) codes[length - 1 - i] = plain.charCodeAt(i);
      const { from, to } = unitsFrom(start, length);
      return derived(view, textOf(codes, length), from.reverse(), to.reverse());
    },
  };
}

const asWritten = lettersBy((letter) => letter);
/** Upside down, n is u, d is p and b is q. */
const upsideDown = lettersBy((letter) => {
  const turned = "undpbq".indexOf(String.fromCharCode(97 + letter));
  return turned < 0 ? letter : "undpbq".charCodeAt(turned ^ 1) - 97;
});

const pigLatin: Disguise = {
  of: (word) =>
    [1, 2, 3]
      .map((moved) => `${word.slice(moved)}${word.slice(0, moved)}ay`)
      .concat(`${word}way`, `${word}yay`, `${word}hay`),
  undo: (view, words, start, end) => rewritten(view, words, start, end, fromPigLatin),
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
  backwards(asWritten),
  backwards(upsideDown),
  pigLatin,
];

const table = new WordTable(
  disguises.flatMap(({ of }, index) =>
    telling.flatMap((word) => of(word).map((hidden) => [hidden, index + 1] as const)),
  ),
);

/** How much of a disguised text is read: from a little before the first telling word on. */
const [undoneBefore, undoneLengthMax] = [600, 8000];

/** The text read again through each disguise it appears to wear; each is only made when it is asked for. */
export function* undisguised(view: View, words: Words): Generator<View> {
  const seen = new Map<number, { count: number; hash: number; first: number }>();
  for (let i = 0; i < words.count; i++) {
    if (words.word[i] !== 0) continue;
    const hash = words.hash[i] ?? 0;
    const index = table.get(hash);
    if (index === 0) continue;
    const known = seen.get(index);
    if (!known) seen.set(index, { count: 1, hash, first: words.start[i] ?? 0 });
    else if (known.hash !== hash) {
      known.count++;
      known.hash = hash;
    }
  }
  for (const [index, { count, first }] of seen) {
    const disguise = disguises[index - 1];
    if (!disguise || count < tellingMin) continue;
    const start = Math.max(0, first - undoneBefore);
    yield disguise.undo(view, words, start, Math.min(view.text.length, start + undoneLengthMax));
  }
  for (const respelt of [unspaced, unglued, unleeted, spelledOut]) {
    const other = respelt(view, words);
    if (other) yield other;
  }
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

function rewritten(view: View, words: Words, from: number, to: number, rewrite: (word: string) => string): View {
  const pieces = new Pieces();
  for (let i = 0; i < words.count; i++) {
    const [start, end] = [words.start[i] ?? 0, words.end[i] ?? 0];
    if (start < from || end > to) continue;
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
  let [left, known] = [spacedTotalMax, 0];
  for (let first = 0; first < count && left > 0; first++) {
    let last = first;
    while (last < count && last - first < left && (end[last] ?? 0) - (start[last] ?? 0) === 1) last++;
    if (last - first >= spacedMin) known += addRow(view, words, first, last, pieces);
    left -= last - first;
    first = Math.max(first, last - 1);
  }
  return known > 0 ? pieces.view(view) : undefined;
}

/** Adds what the letters spell, and tells how many words of it are known. */
function addRow(view: View, { start, end }: Words, first: number, last: number, pieces: Pieces): number {
  const gapAfter = (i: number): number => {
    const length = (start[i + 1] ?? 0) - (end[i] ?? 0);
    return length === 0 ? 0 : length * 0x10000 + view.text.charCodeAt(end[i] ?? 0);
  };
  const gaps = new Map<number, number>();
  for (let i = first; i + 1 < last; i++) gaps.set(gapAfter(i), (gaps.get(gapAfter(i)) ?? 0) + 1);
  const joint = [...gaps].reduce((most, gap) => (gap[1] > most[1] ? gap : most), [0, 0])[0];
  // Scripts without spaces are no disguise.
  if (joint === 0) return 0;
  let known = 0;
  let word = "";
  let wordStart = first;
  for (let i = first; i < last; i++) {
    word += view.text.charAt(start[i] ?? 0).toLowerCase();
    if (i + 1 < last && gapAfter(i) === joint) continue;
    const isWhole = isKnown(word);
    const parts = isWhole || gaps.size > 1 ? undefined : segmented(word);
    known += parts ? parts.known : isWhole ? 1 : 0;
    pieces.add(`${parts ? parts.text : word} `, start[wordStart] ?? 0, end[i] ?? 0);
    word = "";
    wordStart = i + 1;
  }
  return known;
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
  let [hits, first] = [0, 0];
  leetWords(text, 0, text.length, (start, end) => {
    if (hits >= tellingMin) return;
    const word = text.slice(start, end);
    if (!leetSigns.test(word) || plain.has(word)) return;
    const known = fromLeet(word.toLowerCase());
    plain.set(word, known);
    if (!isLeet(word, known)) return;
    if (hits === 0) first = start;
    hits++;
  });
  if (hits < tellingMin) return undefined;
  const pieces = new Pieces();
  const from = text.lastIndexOf(" ", Math.max(0, first - undoneBefore)) + 1;
  leetWords(text, from, Math.min(text.length, from + undoneLengthMax), (start, end) => {
    const word = text.slice(start, end);
    const known = plain.get(word) ?? (leetSigns.test(word) ? fromLeet(word.toLowerCase()) : word);
    plain.set(word, known);
    pieces.add(`${known}${text.charAt(end)}`, start, end);
  });
  return pieces.view(view);
}

const leetSigns = /[\d@$!|+(%]/;
const isLeet = (word: string, plain: string): boolean =>
  plain !== word.toLowerCase() && plain.length > 3 && (isKnown(plain) || isCommon(plain));

/** Words between spaces and quotes: signs may be letters. Long ones are none. */
function leetWords(text: string, from: number, to: number, visit: (start: number, end: number) => void): void {
  let start = from;
  for (let i = from; i <= to; i++) {
    const unit = i < to ? text.charCodeAt(i) : 32;
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
