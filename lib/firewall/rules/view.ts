import { isAscii } from "./ascii";
import { BREAK, DROP, EXPAND, expansionOf, foldOf, foldPair, KEEP, lookalikeOf, PAIR } from "./letters";
import { type Veil, Veils } from "./veil";
import type { Span } from "./verdict";

/** A text as the rules read it, and where each of its units comes from. */
export type View = {
  text: string;
  /** Start and end in the original of unit i; absent where the view is the original itself. */
  from?: Int32Array;
  to?: Int32Array;
  /** Cut into words by guessing: what it says in known phrases counts, how it sounds does not. */
  isGuess?: true;
  /** Holds text as it stood, too, from around what was decoded. */
  isMixed?: true;
  /** Made of so many words in one disguise that it was put on. */
  isWorn?: boolean;
};

/** What a text carries that nobody sees. */
export type Unseen = {
  /** Text spelt in tag characters or variation selectors. */
  smuggled: View[];
  /** Invisible characters inside words written in Latin letters, where no spelling asks for them. */
  insideWords: number;
  firstInside: Span | undefined;
  lookalikeWords: number;
  /** Rows of characters that are displayed as nothing. */
  veil: Veil | undefined;
};

export type Cleaned = { view: View; unseen: Unseen };

const [SPACE, ESCAPE, BRACKET, BLACK_FLAG] = [0x20, 0x1b, 0x5b, 0x1f3f4];
const smuggledMin = 4;

/** The text with disguised letters made plain and unseen ones taken out. ASCII keeps its case: secrets need it. */
export function clean(original: string): Cleaned {
  const unseen: Unseen = { smuggled: [], insideWords: 0, firstInside: undefined, lookalikeWords: 0, veil: undefined };
  return { view: isPlain(original) ? { text: original } : unfold(original, unseen), unseen };
}

export function spanOf(view: View, start: number, end: number): Span {
  if (!view.from || !view.to || end <= start) return { start, end };
  const [a = 0, b = 0, c = 0, d = 0] = [view.from[start], view.from[end - 1], view.to[start], view.to[end - 1]];
  return { start: Math.min(a, b), end: Math.max(c, d) };
}

/** A view made of a part of another one, unit i standing for the parent's units `from[i]` to `to[i]`. */
export function derived(parent: View, text: string, from: Int32Array, to: Int32Array): View {
  const { from: starts, to: ends } = parent;
  if (starts && ends) {
    for (let i = 0; i < text.length; i++) {
      const first = from[i] ?? 0;
      const last = Math.max(first, (to[i] ?? 0) - 1);
      from[i] = Math.min(starts[first] ?? 0, starts[last] ?? 0);
      to[i] = Math.max(ends[first] ?? 0, ends[last] ?? 0);
    }
  }
  return { text, from, to };
}

const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/** Text of the first `length` units in `codes`; half a surrogate pair becomes U+FFFD. */
export const textOf = (codes: Uint16Array, length: number): string => decoder.decode(codes.subarray(0, length));

export const isLetterOrDigit = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);

const isPlain = (text: string): boolean => isAscii(text) && !text.includes("\u001b") && !text.includes("\u007f");

/** 1 for what is neither letter nor digit, in ASCII. */
const neither = Uint8Array.from({ length: 128 }, (_, unit) => (isLetterOrDigit(unit) ? 0 : 1));

function unfold(original: string, unseen: Unseen): View {
  const out = new Output(original.length);
  const { codes, from, to } = out;
  const smuggler = new Smuggler(unseen);
  const veils = new Veils();
  const [isOther, control] = [neither, ESCAPE];
  let wordStart = 0;
  // Only a word with a letter from beyond ASCII can be masked.
  let isMasked = false;
  let i = 0;
  while (i < original.length) {
    const unit = original.charCodeAt(i);
    if (unit < 128 && unit !== control) {
      // Most of most texts: copied in one go, to the end of a word that is to be looked at.
      let [at, plain, isEnd] = [out.length, unit, false];
      while (plain < 128 && plain !== control && !isEnd) {
        codes[at] = plain;
        from[at] = i++;
        to[at++] = i;
        if (isOther[plain] === 1) {
          if (isMasked) isEnd = true;
          else wordStart = at;
        }
        plain = i < original.length ? original.charCodeAt(i) : 128;
      }
      out.length = at;
      if (!isEnd) continue;
    } else {
      veils.see(original, i);
      i += putFolded(original, i, out, smuggler, unseen);
      if (isWordUnit(out.last())) {
        isMasked = true;
        continue;
      }
    }
    if (isMasked) unmask(out, wordStart, unseen);
    isMasked = false;
    wordStart = out.length;
  }
  if (isMasked) unmask(out, wordStart, unseen);
  smuggler.flush();
  unseen.veil = veils.of(original);
  if (unseen.veil?.decoded) unseen.smuggled.push(unseen.veil.decoded);
  return { text: textOf(codes, out.length), from: from.slice(0, out.length), to: to.slice(0, out.length) };
}

/** Puts what the character at `i` stands for, and tells how many units of the original it took. */
function putFolded(original: string, i: number, out: Output, smuggler: Smuggler, unseen: Unseen): number {
  const unit = original.charCodeAt(i);
  if (unit === ESCAPE) {
    const width = controlSequence(original, i);
    out.put(SPACE, i, i + width);
    return width;
  }
  const folded = foldOf(unit);
  if (folded === KEEP) out.put(unit, i, i + 1);
  else if (folded >= SPACE) out.put(folded, i, i + 1);
  else if (folded === BREAK) out.put(SPACE, i, i + 1);
  else if (folded === EXPAND) for (const letter of expansionOf(unit)) out.put(letter.charCodeAt(0), i, i + 1);
  else if (folded === DROP) {
    smuggler.see(unit, i, 1);
    noteInsideWord(original, i, unseen);
  } else if (folded === PAIR) {
    const point = original.codePointAt(i) ?? unit;
    const width = point > 0xffff ? 2 : 1;
    const letter = foldPair(point);
    if (letter !== 0) out.put(letter, i, i + width);
    else if (!smuggler.see(point, i, width)) out.put(SPACE, i, i + width);
    return width;
  }
  return 1;
}

/** No expansion is longer than four letters, save the few of Unicode that the letters' table leaves out. */
const roomFor = (size: number): number => size * 4 + 16;
const arraysFor = (room: number) => ({
  codes: new Uint16Array(room),
  from: new Int32Array(room),
  to: new Int32Array(room),
});
/** Filled anew for each text and then copied from: fresh memory for the worst case costs more than the reading. */
let scratch = arraysFor(4096);

class Output {
  length = 0;

  constructor(size: number) {
    if (scratch.codes.length < roomFor(size)) scratch = arraysFor(roomFor(size));
    this.codes = scratch.codes;
    this.from = scratch.from;
    this.to = scratch.to;
  }

  readonly codes: Uint16Array;
  readonly from: Int32Array;
  readonly to: Int32Array;

  /** What was put last; a space at the beginning. */
  last(): number {
    return this.length === 0 ? SPACE : (this.codes[this.length - 1] ?? SPACE);
  }

  put(unit: number, from: number, to: number): void {
    this.codes[this.length] = unit;
    this.from[this.length] = from;
    this.to[this.length] = to;
    this.length++;
  }
}

/** Characters that are nothing to a reader and letters to a model: tags, and variation selectors as bytes. */
class Smuggler {
  private units: number[] = [];
  private places: number[] = [];
  private flag = false;

  constructor(private readonly unseen: Unseen) {}

  /** Whether the character is one nobody sees. */
  see(point: number, at: number, width: number): boolean {
    const unit = smuggledUnit(point);
    if (unit < 0) {
      if (point !== 0x200d) this.flush();
      this.flag = point === BLACK_FLAG;
      return false;
    }
    const end = this.places.at(-1);
    if (end !== undefined && at - end > 2) this.flush();
    this.units.push(unit);
    this.places.push(at, at + width);
    return true;
  }

  flush(): void {
    // A black flag followed by tags is the flag of England, Scotland or Wales.
    const printable = this.units.filter((unit) => unit >= SPACE && unit < 127);
    if (!this.flag && printable.length >= smuggledMin && printable.length * 2 >= this.units.length) {
      const places = this.places;
      this.unseen.smuggled.push({
        text: String.fromCharCode(...this.units.slice(0, 30_000)),
        from: Int32Array.from(this.units, (_, index) => places[index * 2] ?? 0),
        to: Int32Array.from(this.units, (_, index) => places[index * 2 + 1] ?? 0),
      });
    }
    this.units = [];
    this.places = [];
    this.flag = false;
  }
}

function smuggledUnit(point: number): number {
  if (point >= 0xe0000 && point <= 0xe007f) return point - 0xe0000;
  if (point >= 0xfe00 && point <= 0xfe0f) return point - 0xfe00;
  if (point >= 0xe0100 && point <= 0xe01ef) return point - 0xe0100 + 16;
  return -1;
}

const isLatin = (unit: number): boolean => (unit | 32) >= 97 && (unit | 32) <= 122;
const isWordUnit = (unit: number): boolean => unit > 127 || isLetterOrDigit(unit);
const isInvisible = (unit: number): boolean =>
  unit === 0xad ||
  unit === 0x34f ||
  unit === 0x180e ||
  (unit >= 0x200b && unit <= 0x200f) ||
  (unit >= 0x2060 && unit <= 0x206f) ||
  unit === 0xfeff ||
  unit === 0x115f ||
  unit === 0x1160 ||
  unit === 0x3164 ||
  unit === 0xffa0;

/** Soft hyphens are left alone: hyphenated text is full of them. */
function noteInsideWord(text: string, at: number, unseen: Unseen): void {
  if (!isInvisible(text.charCodeAt(at)) || text.charCodeAt(at) === 0xad) return;
  if (!isLatin(text.charCodeAt(at - 1)) || !isLatin(text.charCodeAt(at + 1))) return;
  unseen.insideWords++;
  unseen.firstInside ??= { start: at, end: at + 1 };
}

/** A word that mixes Latin letters with letters drawn like them is meant to be read as Latin. */
function unmask(out: Output, start: number, unseen: Unseen): void {
  let latin = 0;
  let alike = 0;
  let foreign = 0;
  for (let i = start; i < out.length; i++) {
    const unit = out.codes[i] ?? 0;
    if (unit < 128) latin += isLatin(unit) ? 1 : 0;
    else if (lookalikeOf(unit) !== 0) alike++;
    else foreign++;
  }
  if (alike === 0 || foreign > latin + alike) return;
  if (latin === 0 && (foreign > 0 || !nearLatin(out, start))) return;
  unseen.lookalikeWords++;
  for (let i = start; i < out.length; i++) {
    const plain = lookalikeOf(out.codes[i] ?? 0);
    if (plain !== 0) out.codes[i] = plain;
  }
}

/** Whether the word before one made of look-alikes only was Latin too. */
function nearLatin(out: Output, start: number): boolean {
  for (let i = start - 1; i >= 0 && i >= start - 8; i--) if (isLatin(out.codes[i] ?? 0)) return true;
  return false;
}

/** Length of the terminal control sequence at `at`. */
function controlSequence(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== BRACKET) return 1;
  let end = at + 2;
  while (end < text.length && end < at + 24 && (text.charCodeAt(end) < 0x40 || text.charCodeAt(end) > 0x7e)) end++;
  return Math.min(text.length, end + 1) - at;
}
