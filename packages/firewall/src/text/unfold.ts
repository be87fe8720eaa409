import type { Span } from "../verdict.ts";
import { BREAK, DROP, EXPAND, expansionOf, foldOf, foldPair, KEEP, lookalikeOf, PAIR } from "./letters.ts";
import { Smuggler } from "./smuggled.ts";
import { type Veil, Veils } from "./veil.ts";
import { isAscii, isLatin, isLetterOrDigit, Output, type View } from "./view.ts";

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

const isPlain = (text: string): boolean => isAscii(text) && !text.includes("\u001b");

function unfold(original: string, unseen: Unseen): View {
  // `letters.ts` has no expansion longer than four letters.
  const output = new Output(original.length * 4);
  const { codes } = output;
  const smuggler = new Smuggler(unseen.smuggled);
  const veils = new Veils();
  // The current word: its start, and how many of its letters look like Latin ones or are of another script.
  let [wordStart, alike, foreign] = [0, 0, 0];
  for (let i = 0; i < original.length; ) {
    const previousLength = output.length;
    if (original.charCodeAt(i) > 127) veils.see(original, i);
    i += putCharacter(original, i, output, smuggler, unseen);
    for (let index = previousLength; index < output.length; index++) {
      const code = codes[index] ?? 0;
      if (code > 127 && lookalikeOf(code) !== 0) alike++;
      else if (code > 127) foreign++;
    }
    // A word continues after an invisible character inside it.
    const last = output.length === 0 ? SPACE : (codes[output.length - 1] ?? SPACE);
    if (last > 127 || isLetterOrDigit(last)) continue;
    if (alike > 0) unmask(codes, wordStart, output.length, alike, foreign, unseen);
    alike = 0;
    foreign = 0;
    wordStart = output.length;
  }
  if (alike > 0) unmask(codes, wordStart, output.length, alike, foreign, unseen);
  smuggler.flush();
  unseen.veil = veils.of(original);
  if (unseen.veil?.decoded) unseen.smuggled.push(unseen.veil.decoded);
  return output.view();
}

/** Writes what the character at `i` is replaced by. Returns its length in the original. */
function putCharacter(original: string, i: number, output: Output, smuggler: Smuggler, unseen: Unseen): number {
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
