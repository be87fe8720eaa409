import { hexDigit } from "./ascii.ts";
import { brokenMax, bytesFor, bytesOf, emptied, isReadable, letters, textFrom } from "./bytes.ts";
import { morseRuns } from "./morse.ts";
import { bitsOf } from "./signs.ts";
import { standIn, type View } from "./view.ts";
import type { Words } from "./words.ts";

/** Shorter runs are words, and too short for an instruction when decoded. */
const runMin = 16;
const groupsMin = 6;
/** Longer rows are data, or attacks that their beginning reveals. */
const groupsMax = 4096;
const wrappedLineMin = 56;

const [NEWLINE, ZERO, EQUALS, LOWER_X] = [10, 48, 61, 120];

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

/** Texts in base64, base32, hex, binary, character codes or Morse. Generated on demand, since few are read. */
export function* encodedRuns(view: View, words: Words): Generator<View> {
  if (words.widest >= runMin || (words.signs & runSigns) !== 0) yield* solidRuns(view, words.units);
  if (words.numbers >= groupsMin) yield* numberRuns(view, words);
  yield* morseRuns(view, words);
}

/** The text in a run of base64, or undefined if it is no text. */
export function decodedBase64(run: string): string | undefined {
  let end = run.length;
  while (end > 0 && run.charCodeAt(end - 1) === EQUALS) end--;
  if (spelt.length < end) spelt = new Uint16Array(end);
  for (let i = 0; i < end; i++) spelt[i] = run.charCodeAt(i);
  const length = bytesOf(spelt, 0, end, 6, base64Value, Number.POSITIVE_INFINITY);
  spelt.fill(0, 0, end);
  return length < 0 ? undefined : textFrom(length);
}

let spelt = new Uint16Array(1024);

/** Signs that a run can have in addition to letters and digits. */
const runSigns = bitsOf("+/-_");

function* solidRuns(view: View, units: Uint16Array): Generator<View> {
  const { text } = view;
  let start = 0;
  while (start + runMin <= text.length) {
    // A run of the minimal length covers `end`, so shorter words are skipped by looking at one unit.
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

/** The end of the run that starts at `start`. Wrapped lines continue a run. */
function runEnd(units: Uint16Array, length: number, start: number): number {
  let end = start + runMin;
  let lineStart = start;
  for (; end < length; end++) {
    const unit = units[end] ?? 0;
    if (isRunUnit(unit)) continue;
    if (unit !== NEWLINE || end - lineStart < wrappedLineMin) break;
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

/** Decodes digits of `bits` bits. undefined when `leftoverDigits` digits are left over, or the result is no text. */
function bytesText(
  units: Uint16Array,
  start: number,
  end: number,
  bits: number,
  values: Int8Array,
  leftoverDigits: number,
): string | undefined {
  if (leftoverDigits !== 0) return undefined;
  const length = bytesOf(units, start, end, bits, values, brokenMax(((end - start) * bits) >> 3));
  return length < 0 ? undefined : letters(length);
}

/** Groups of digits, one per letter: "73 103 110", "01001001 01100111", "49 67 6e", "111 147 156". */
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
  const bytes = bytesFor(count);
  for (const base of [2, 10, 8, 16]) {
    let i = first;
    for (; i <= last; i++) {
      const value = groupValue(text, start[i] ?? 0, end[i] ?? 0, base);
      if (value > 126 || !isReadable(value)) break;
      bytes[i - first] = value;
    }
    const decodedText = i > last ? letters(count) : undefined;
    if (decodedText !== undefined) return decodedText;
  }
  emptied(count);
  return undefined;
}

/** The number in a group, or 0. */
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
