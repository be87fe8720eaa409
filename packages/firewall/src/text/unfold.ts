import type { Span } from "../verdict.ts";
import { isAscii } from "./ascii.ts";
import { BREAK, DROP, EXPAND, expansionOf, foldOf, foldPair, KEEP, lookalikeOf, PAIR } from "./letters.ts";
import { Smuggler } from "./smuggled.ts";
import { isVeiling, type Veil, Veils } from "./veil.ts";
import { isLatin, isLetterOrDigit, type Moves, textOf, type View } from "./view.ts";

/** The invisible content of a text. */
export type Unseen = {
  /** Texts in tag characters or variation selectors. */
  smuggled: View[];
  /** Number of Latin words with invisible characters inside that no spelling requires. */
  insideWords: number;
  firstInside: Span | undefined;
  lookalikeWords: number;
  /** Rows of characters that are displayed as nothing. */
  veil: Veil | undefined;
  /** Number of surrogate pairs. */
  pairs: number;
};

export type Cleaned = { view: View; unseen: Unseen };

const [SPACE, ESCAPE, BRACKET] = [0x20, 0x1b, 0x5b];

/** The text with disguised letters folded and invisible ones removed. ASCII keeps its case, which secrets need. */
export function clean(original: string): Cleaned {
  const unseen: Unseen = {
    smuggled: [],
    insideWords: 0,
    firstInside: undefined,
    lookalikeWords: 0,
    veil: undefined,
    pairs: 0,
  };
  return { view: isPlain(original) ? { text: original } : unfold(original, unseen), unseen };
}

const isPlain = (text: string): boolean => isAscii(text) && !text.includes("\u001b") && !text.includes("\u007f");

/**
 * Kinds of units: a letter of another script, one that looks like a Latin letter, a unit that is replaced by another or
 * by a space, and one that needs a closer look (OTHER). In ASCII: part of a word (PLAIN) or not (SIGN).
 */
const [FOREIGN, ALIKE, REPLACED, PARTS, OTHER, PLAIN, SIGN] = [0, 1, 2, 3, 4, 5, 6];
const kinds = Uint8Array.from({ length: 0x10000 }, (_, unit) => {
  if (unit < 128) return unit === ESCAPE ? OTHER : isLetterOrDigit(unit) ? PLAIN : SIGN;
  const folded = foldOf(unit);
  if (isVeiling(unit) || folded === DROP || folded === EXPAND || folded === PAIR) return OTHER;
  if (folded === KEEP) return lookalikeOf(unit) === 0 ? FOREIGN : ALIKE;
  return folded === BREAK ? PARTS : REPLACED;
});

function unfold(original: string, unseen: Unseen): View {
  const output = new Output(original.length);
  const { codes } = output;
  const smuggler = new Smuggler(unseen.smuggled);
  const veils = new Veils();
  const [kindOf, control] = [kinds, ESCAPE];
  const end = original.length;
  // The current word: its start, and how many of its letters look like Latin ones or are of another script.
  let [wordStart, alike, foreign] = [0, 0, 0];
  // The next offset to write and to read, and the end in the original of the last character written.
  let [length, wordEnd, i, expected] = [0, 0, 0, 0];
  while (i < end) {
    let unit = original.charCodeAt(i);
    if (unit < 128 && unit !== control && alike === 0 && foreign === 0) {
      // The common case: ASCII is copied in one go, and the start of its last word is found from behind.
      if (i !== expected) output.move(length, i, i + 1);
      const first = length;
      do {
        codes[length++] = unit;
        unit = ++i < end ? original.charCodeAt(i) : control;
      } while (unit < 128 && unit !== control);
      expected = i;
      let last = length;
      while (last > first && isLetterOrDigit(codes[last - 1] ?? 0)) last--;
      if (last > first) wordStart = last;
      continue;
    }
    let kind = kindOf[unit] ?? OTHER;
    if (kind !== OTHER) {
      if (i !== expected) output.move(length, i, i + 1);
      if (kind === REPLACED) {
        unit = foldOf(unit);
        kind = unit < 128 ? (kindOf[unit] ?? SIGN) : lookalikeOf(unit) === 0 ? FOREIGN : ALIKE;
      } else if (kind === PARTS) {
        unit = SPACE;
        kind = SIGN;
      }
      codes[length++] = unit;
      expected = ++i;
      if (kind === ALIKE) alike++;
      else if (kind === FOREIGN) foreign++;
      if (kind !== SIGN) continue;
      wordEnd = length - 1;
    } else {
      veils.see(original, i);
      const previousLength = length;
      output.length = length;
      output.expected = expected;
      i += putOther(original, i, output, smuggler, unseen);
      length = output.length;
      expected = output.expected;
      for (let index = previousLength; index < length; index++) {
        const code = codes[index] ?? 0;
        if (code > 127 && lookalikeOf(code) !== 0) alike++;
        else if (code > 127) foreign++;
      }
      // A word continues after an invisible character inside it.
      const last = length === 0 ? SPACE : (codes[length - 1] ?? SPACE);
      if (last > 127 || isLetterOrDigit(last)) continue;
      wordEnd = length;
    }
    if (alike > 0) unmask(codes, wordStart, wordEnd, alike, foreign, unseen);
    alike = 0;
    foreign = 0;
    wordStart = length;
  }
  if (alike > 0) unmask(codes, wordStart, length, alike, foreign, unseen);
  smuggler.flush();
  unseen.veil = veils.of(original);
  if (unseen.veil?.decoded) unseen.smuggled.push(unseen.veil.decoded);
  const text = textOf(codes, length);
  const units = codes.subarray(0, length);
  return output.count === 0 ? { text, units } : { text, units, moves: output.moves() };
}

/** Writes what the character at `i` is replaced by. Returns its length in the original. */
function putOther(original: string, i: number, output: Output, smuggler: Smuggler, unseen: Unseen): number {
  const unit = original.charCodeAt(i);
  if (unit === ESCAPE) {
    const width = controlSequence(original, i);
    for (let index = i; index < i + width; index++) if (isPair(original, index)) unseen.pairs++;
    output.put(SPACE, i, i + width);
    return width;
  }
  const folded = foldOf(unit);
  if (folded === KEEP) output.put(unit, i, i + 1);
  else if (folded >= SPACE) output.put(folded, i, i + 1);
  else if (folded === BREAK) output.put(SPACE, i, i + 1);
  else if (folded === EXPAND) for (const letter of expansionOf(unit)) output.put(letter.charCodeAt(0), i, i + 1);
  else if (folded === DROP) {
    smuggler.see(unit, i, 1);
    noteInsideWord(original, i, unseen);
  } else if (folded === PAIR) {
    const point = original.codePointAt(i) ?? unit;
    const width = point > 0xffff ? 2 : 1;
    if (width === 2) unseen.pairs++;
    const letter = foldPair(point);
    if (letter !== 0) output.put(letter, i, i + width);
    else if (!smuggler.see(point, i, width)) output.put(SPACE, i, i + width);
    return width;
  }
  return 1;
}

const isPair = (text: string, index: number): boolean =>
  (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;

/** Room for the worst case: `letters.ts` has no expansion longer than four letters. */
const roomFor = (size: number): number => size * 4 + 16;
const arraysFor = (room: number) => ({
  codes: new Uint16Array(room),
  at: new Int32Array(room),
  from: new Int32Array(room),
  to: new Int32Array(room),
});
/** Reused for every text, then copied from: allocating memory for the worst case costs more than reading the text. */
let scratch = arraysFor(4096);

class Output {
  length = 0;
  /** End in the original of the last character written. */
  expected = 0;
  /** Number of units that do not directly follow the one before in the original. */
  count = 0;
  readonly codes: Uint16Array;
  private readonly at: Int32Array;
  private readonly from: Int32Array;
  private readonly to: Int32Array;

  constructor(size: number) {
    if (scratch.codes.length < roomFor(size)) scratch = arraysFor(roomFor(size));
    this.codes = scratch.codes;
    this.at = scratch.at;
    this.from = scratch.from;
    this.to = scratch.to;
  }

  put(unit: number, from: number, to: number): void {
    if (from !== this.expected || to !== from + 1) this.move(this.length, from, to);
    this.codes[this.length++] = unit;
    this.expected = to;
  }

  move(index: number, from: number, to: number): void {
    this.at[this.count] = index;
    this.from[this.count] = from;
    this.to[this.count++] = to;
  }

  moves(): Moves {
    const { at: offsets, from, to, count } = this;
    return { at: offsets.slice(0, count), from: from.slice(0, count), to: to.slice(0, count) };
  }
}

/** Displayed as nothing. Soft hyphens are left out: hyphenated text has many. */
const invisible = /[\u034f\u180e\u200b-\u200f\u2060-\u206f\ufeff\u115f\u1160\u3164\uffa0]/;

function noteInsideWord(text: string, index: number, unseen: Unseen): void {
  if (!invisible.test(text.charAt(index))) return;
  if (!isLatin(text.charCodeAt(index - 1)) || !isLatin(text.charCodeAt(index + 1))) return;
  unseen.insideWords++;
  unseen.firstInside ??= { start: index, end: index + 1 };
}

/** Replaces look-alike letters in a word that mixes them with Latin ones. */
function unmask(codes: Uint16Array, start: number, end: number, alike: number, foreign: number, unseen: Unseen): void {
  let latin = 0;
  if (end - start > alike + foreign) for (let i = start; i < end; i++) if (isLatin(codes[i] ?? 0)) latin++;
  if (foreign > latin + alike) return;
  if (latin === 0 && (foreign > 0 || !nearLatin(codes, start))) return;
  unseen.lookalikeWords++;
  for (let i = start; i < end; i++) {
    const plain = lookalikeOf(codes[i] ?? 0);
    if (plain !== 0) codes[i] = plain;
  }
}

/** Whether the word before is Latin. Decides about a word of look-alike letters only. */
function nearLatin(codes: Uint16Array, start: number): boolean {
  for (let i = start - 1; i >= 0 && i >= start - 8; i--) if (isLatin(codes[i] ?? 0)) return true;
  return false;
}

/** Length of the terminal control sequence at `index`, in units. */
function controlSequence(text: string, index: number): number {
  if (text.charCodeAt(index + 1) !== BRACKET) return 1;
  let end = index + 2;
  while (end < text.length && end < index + 24 && (text.charCodeAt(end) < 0x40 || text.charCodeAt(end) > 0x7e)) end++;
  return Math.min(text.length, end + 1) - index;
}
