import { hexDigit } from "./escapes.ts";
import { bitsOf } from "./signs.ts";
import type { View } from "./view.ts";
import { spanOf } from "./view.ts";
import type { Words } from "./words.ts";

/** Shorter runs are words, and decode to nothing that could instruct anyone. */
const runMin = 16;
const groupsMin = 6;
/** Longer rows are data, or an attack whose beginning says enough. */
const groupsMax = 4096;
const wrappedLineMin = 56;

const [NEWLINE, SPACE, DASH, DOT, ZERO, EQUALS, LOWER_X] = [10, 32, 45, 46, 48, 61, 120];

const base64Value = new Int8Array(128).fill(-1);
for (const [index, letter] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  base64Value[letter.charCodeAt(0)] = index;
base64Value[45] = 62;
base64Value[95] = 63;
const base32Value = Int8Array.from({ length: 128 }, (_, unit) =>
  unit >= 65 && unit <= 90 ? unit - 65 : unit >= 50 && unit <= 55 ? unit - 24 : -1,
);
const hexValue = Int8Array.from({ length: 128 }, (_, unit) => hexDigit(unit));
const bitValue = Int8Array.from({ length: 128 }, (_, unit) => (unit === 48 || unit === 49 ? unit - 48 : -1));

/** Letters by their Morse code, read as a number: a 1, then 1 for each dash and 0 for each dot. */
const [noCode, wordEnd] = [128, 129];
const morseLetter = new Uint8Array(wordEnd + 1);
morseLetter[wordEnd] = SPACE;
".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
  .split(" ")
  .forEach((code, index) => {
    const digits = code.replaceAll(".", "0").replaceAll("-", "1");
    morseLetter[Number.parseInt(`1${digits}`, 2)] = "abcdefghijklmnopqrstuvwxyz0123456789".charCodeAt(index);
  });

/** Texts spelt in base64, base32, hex, binary, character numbers or Morse; decoded one by one, for only a few are read. */
export function* encodedRuns(view: View, words: Words): Generator<View> {
  if (words.widest >= runMin || (words.signs & runSigns) !== 0) yield* solidRuns(view, words.units);
  if (words.numbers >= groupsMin) yield* numberRuns(view, words);
  yield* morseRuns(view, words);
}

/** What a run of base64 says, if it is text of any kind. */
export function decodedBase64(run: string): string | undefined {
  let end = run.length;
  while (end > 0 && run.charCodeAt(end - 1) === EQUALS) end--;
  if (spelt.length < end) spelt = new Uint16Array(end);
  for (let i = 0; i < end; i++) spelt[i] = run.charCodeAt(i);
  const length = bytesOf(spelt, 0, end, 6, base64Value, Number.POSITIVE_INFINITY);
  spelt.fill(0, 0, end);
  return length < 0 ? undefined : textFrom(length);
}

/** Besides letters and digits, what a run may hold. */
const runSigns = bitsOf("+/-_");

/** Whole decoded text stands for the whole run: no letter of it can be pointed at. */
function standIn(view: View, text: string, start: number, end: number): View {
  return { text, whole: spanOf(view, start, end) };
}

function* solidRuns(view: View, units: Uint16Array): Generator<View> {
  const { text } = view;
  let start = 0;
  while (start + runMin <= text.length) {
    // A run long enough covers the place where it would end: words are passed over without a look at their letters.
    let end = start + runMin - 1;
    while (end >= start && isRunUnit(units[end] ?? 0)) end--;
    if (end < start) {
      end = runEnd(units, text.length, start);
      const decoded = solid(units, start, end);
      if (decoded !== undefined) yield standIn(view, decoded, start, end);
    }
    start = end + 1;
  }
}

/** Where the run that begins at `start` ends, which may be on a later line. */
function runEnd(units: Uint16Array, length: number, start: number): number {
  let end = start + runMin;
  let lineStart = start;
  for (; end < length; end++) {
    const unit = units[end] ?? 0;
    if (isRunUnit(unit)) continue;
    if (unit !== 10 || end - lineStart < wrappedLineMin) break;
    lineStart = end + 1;
  }
  return end;
}

const isRunUnit = (unit: number): boolean => unit < 128 && (base64Value[unit] ?? -1) >= 0;

function solid(units: Uint16Array, start: number, end: number): string | undefined {
  const from = units[start] === ZERO && units[start + 1] === LOWER_X ? start + 2 : start;
  if (hexDigit(units[from] ?? 0) >= 0 && hexDigit(units[end - 1] ?? 0) >= 0) {
    const digits =
      bytesText(units, from, end, 1, bitValue, (end - from) % 8) ??
      bytesText(units, from, end, 4, hexValue, (end - from) % 2);
    if (digits !== undefined) return digits;
  }
  return bytesText(units, from, end, 6, base64Value, 0) ?? bytesText(units, from, end, 5, base32Value, 0);
}

/** Nothing if `left` digits are left over. */
function bytesText(
  units: Uint16Array,
  start: number,
  end: number,
  bits: number,
  values: Int8Array,
  left: number,
): string | undefined {
  if (left !== 0) return undefined;
  const length = bytesOf(units, start, end, bits, values, brokenMax(((end - start) * bits) >> 3));
  return length < 0 ? undefined : letters(length);
}

/** Of text of this length so many letters may be broken. */
const brokenMax = (length: number): number => 2 + (length >> 4);

/** Filled anew for each run, and emptied when it is read. */
let spelt = new Uint16Array(1024);
let scratch = new Uint8Array(1024);

/**
 * Digits of `bits` bits, strung together and cut into bytes: how many bytes there are, or -1. Gives up at the first few
 * bytes that are not text, and when more letters beyond ASCII are broken than may be.
 */
function bytesOf(
  units: Uint16Array,
  start: number,
  end: number,
  bits: number,
  values: Int8Array,
  most: number,
): number {
  const room = ((end - start) * bits) >> 3;
  if (scratch.length < room) scratch = new Uint8Array(room);
  const [bytes, isText] = [scratch, readable];
  let [buffer, filled, odd, length] = [0, 0, 0, 0];
  // Of the letter that is not yet whole: how many bytes are missing, and between what the next one must be.
  let [missing, least, greatest, broken] = [0, 0x80, 0xbf, 0];
  for (let i = start; i < end; i++) {
    const unit = units[i] ?? 0;
    if (unit === NEWLINE) continue;
    const value = unit < 128 ? (values[unit] ?? -1) : -1;
    if (value < 0) return emptied(length);
    buffer = ((buffer << bits) | value) & 0xffff;
    filled += bits;
    if (filled < 8) continue;
    filled -= 8;
    const byte = (buffer >> filled) & 255;
    if (isText[byte] === 0 && ++odd > 2 + (length >> 4)) return emptied(length);
    bytes[length++] = byte;
    if (missing > 0) {
      if (byte >= least && byte <= greatest) {
        missing--;
        least = 0x80;
        greatest = 0xbf;
        continue;
      }
      missing = 0;
      if (++broken > most) return emptied(length);
    }
    if (byte < 0x80) continue;
    if (byte < 0xc2 || byte > 0xf4) {
      if (++broken > most) return emptied(length);
      continue;
    }
    missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    greatest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }
  return length;
}

function emptied(length: number): number {
  scratch.fill(0, 0, length);
  return -1;
}

/** Bytes of text: printable, white space, or a part of a letter beyond ASCII. */
const readable = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 32 && byte !== 127) || byte === 10 || byte === 13 || byte === 9 ? 1 : 0,
);
const isReadable = (byte: number): boolean => readable[byte] === 1;

/** The text in the first `length` bytes. Noise passes for text byte by byte, not as letters. */
function letters(length: number): string | undefined {
  const bytes = scratch;
  let [plain, beyond] = [0, 0];
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte > 127) beyond++;
    else if ((byte | 32) >= 97 && (byte | 32) <= 122) plain++;
  }
  if ((plain + beyond) * 2 < length) {
    emptied(length);
    return undefined;
  }
  const text = textFrom(length);
  if (beyond === 0) return text;
  let broken = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 0xfffd) broken++;
  return broken > brokenMax(text.length) ? undefined : text;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
function textFrom(length: number): string {
  const text = decoder.decode(scratch.subarray(0, length));
  scratch.fill(0, 0, length);
  return text;
}

/** "73 103 110", "01001001 01100111", "49 67 6e", "111 147 156": one group of digits per letter. */
function* numberRuns(view: View, words: Words): Generator<View> {
  const { start, end, count } = words;
  for (let first = 0; first < count; first++) {
    if (groupWidth(view.text, start[first] ?? 0, end[first] ?? 0) === 0) continue;
    let last = first;
    while (
      last + 1 < count &&
      (start[last + 1] ?? 0) - (end[last] ?? 0) <= 3 &&
      groupWidth(view.text, start[last + 1] ?? 0, end[last + 1] ?? 0) > 0
    )
      last++;
    if (last - first + 1 >= groupsMin) {
      const decoded = fromNumbers(view.text, words, first, Math.min(last, first + groupsMax - 1));
      if (decoded !== undefined) yield standIn(view, decoded, start[first] ?? 0, end[last] ?? 0);
    }
    first = last;
  }
}

function groupWidth(text: string, start: number, end: number): number {
  const width = end - start;
  if (width > 8 || width < 2) return 0;
  const from = width === 4 && text.charCodeAt(start + 1) === 120 ? start + 2 : start;
  for (let i = from; i < end; i++) if (hexDigit(text.charCodeAt(i)) < 0) return 0;
  return width;
}

function fromNumbers(text: string, { start, end }: Words, first: number, last: number): string | undefined {
  const count = last - first + 1;
  if (scratch.length < count) scratch = new Uint8Array(count);
  for (const base of [2, 10, 8, 16]) {
    let i = first;
    for (; i <= last; i++) {
      const value = groupValue(text, start[i] ?? 0, end[i] ?? 0, base);
      if (value > 126 || !isReadable(value)) break;
      scratch[i - first] = value;
    }
    const found = i > last ? letters(count) : undefined;
    if (found !== undefined) return found;
  }
  emptied(count);
  return undefined;
}

/** The number written in a group, or 0. */
function groupValue(text: string, start: number, end: number, base: number): number {
  if (base === 2 && end - start < 7) return 0;
  let value = 0;
  for (let i = base === 16 && text.charCodeAt(start + 1) === 120 ? start + 2 : start; i < end; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0 || digit >= base) return 0;
    value = value * base + digit;
  }
  return value;
}

const isMorse = (unit: number): boolean =>
  unit === 46 || unit === 45 || unit === 47 || unit === 32 || unit === 124 || unit === 10;

const morseSigns = bitsOf(".-");

function morseRuns(view: View, words: Words): View[] {
  const { text } = view;
  const found: View[] = [];
  if ((words.signs & morseSigns) === 0 || !/[.-]{2}[ /|\n]/.test(text)) return found;
  const { units } = words;
  for (let start = 0; start + runMin <= text.length; ) {
    let end = start + runMin - 1;
    while (end >= start && isMorse(units[end] ?? 0)) end--;
    if (end < start) {
      for (end = start + runMin; end < text.length && isMorse(units[end] ?? 0); ) end++;
      const decoded = fromMorse(units, start, end);
      if (decoded !== undefined) found.push(standIn(view, decoded, start, end));
    }
    start = end + 1;
  }
  return found;
}

/** What is no letter's code is a full stop, or a space if it is long. */
function fromMorse(units: Uint16Array, start: number, end: number): string | undefined {
  if (scratch.length < end - start) scratch = new Uint8Array(end - start);
  const letters = morseLetter;
  let [code, codeStart, count, known] = [1, start, 0, 0];
  for (let i = start; i <= end; i++) {
    const unit = i < end ? (units[i] ?? 0) : SPACE;
    if (unit === DOT || unit === DASH) code = Math.min((code << 1) | (unit === DASH ? 1 : 0), noCode);
    else if (unit !== SPACE && unit !== NEWLINE) code = i === codeStart ? wordEnd : noCode;
    else {
      const length = i - codeStart;
      const letter = letters[code] ?? 0;
      if (letter !== 0) known++;
      if (length > 0) scratch[count++] = letter !== 0 ? letter : length > 6 ? SPACE : DOT;
      code = 1;
      codeStart = i + 1;
    }
  }
  if (known >= groupsMin && known * 4 >= count * 3) return textFrom(count);
  emptied(count);
  return undefined;
}
