import { hexDigit } from "./escapes";
import type { View } from "./view";
import { spanOf } from "./view";
import type { Words } from "./words";

/** Shorter runs are words, and decode to nothing that could instruct anyone. */
const runMin = 16;
const groupsMin = 6;
/** Longer rows are data, or an attack whose beginning says enough. */
const groupsMax = 4096;
const wrappedLineMin = 56;

const base64Value = new Int8Array(128).fill(-1);
for (const [index, letter] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  base64Value[letter.charCodeAt(0)] = index;
base64Value[45] = 62;
base64Value[95] = 63;

const morse = new Map(
  ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
    .split(" ")
    .map((code, index) => [code, "abcdefghijklmnopqrstuvwxyz0123456789".charAt(index)]),
);

/** Texts spelt in base64, base32, hex, binary, character numbers or Morse. */
export function encodedRuns(view: View, words: Words): View[] {
  return [...solidRuns(view), ...(words.numbers >= groupsMin ? numberRuns(view, words) : []), ...morseRuns(view)];
}

/** What a run of base64 says, if it is text of any kind. */
export function decodedBase64(run: string): string | undefined {
  const bytes = bytesOf(run.replace(/=+$/, ""), 6, (unit) => base64Value[unit] ?? -1);
  return bytes && textFrom(bytes);
}

/** Whole decoded text stands for the whole run: no letter of it can be pointed at. */
function standIn(view: View, text: string, start: number, end: number): View {
  const span = spanOf(view, start, end);
  return { text, from: new Int32Array(text.length).fill(span.start), to: new Int32Array(text.length).fill(span.end) };
}

function solidRuns(view: View): View[] {
  const { text } = view;
  const found: View[] = [];
  let start = 0;
  let lineStart = 0;
  for (let i = 0; i <= text.length; i++) {
    // A run long enough covers the place where it would end: words are passed over without a look at their letters.
    if (i === start && !isRunUnit(text.charCodeAt(i + runMin - 1))) {
      const last = lastBreak(text, i, Math.min(text.length, i + runMin - 1));
      i = last;
      start = last + 1;
      lineStart = start;
      continue;
    }
    const unit = i < text.length ? text.charCodeAt(i) : 0;
    if (isRunUnit(unit)) continue;
    if (unit === 10 && i - lineStart >= wrappedLineMin) {
      lineStart = i + 1;
      continue;
    }
    if (i - start >= runMin) {
      const decoded = solid(text.slice(start, i));
      if (decoded !== undefined) found.push(standIn(view, decoded, start, i));
    }
    start = i + 1;
    lineStart = start;
  }
  return found;
}

const isRunUnit = (unit: number): boolean => unit < 128 && (base64Value[unit] ?? -1) >= 0;

/** The last place from `from` to `to` that is in no run; `to` itself is none. */
function lastBreak(text: string, from: number, to: number): number {
  let last = to;
  while (last > from && isRunUnit(text.charCodeAt(last))) last--;
  return last;
}

function solid(written: string): string | undefined {
  const run = written.startsWith("0x") ? written.slice(2) : written;
  if (hexDigit(run.charCodeAt(0)) >= 0 && hexDigit(run.charCodeAt(run.length - 1)) >= 0) {
    const bits = readable(run, 8, 1, (unit) => (unit === 48 || unit === 49 ? unit - 48 : -1));
    if (bits !== undefined) return bits;
    const hex = readable(run, 2, 4, hexDigit);
    if (hex !== undefined) return hex;
  }
  return bytesText(run, 6, (unit) => base64Value[unit] ?? -1) ?? bytesText(run, 5, base32Value);
}

const base32Value = (unit: number): number =>
  unit >= 65 && unit <= 90 ? unit - 65 : unit >= 50 && unit <= 55 ? unit - 24 : -1;

/** `digits` digits of `bits` bits to a character. */
function readable(run: string, digits: number, bits: number, digitOf: (unit: number) => number): string | undefined {
  if (run.length % digits !== 0) return undefined;
  const bytes: number[] = [];
  let odd = 0;
  for (let i = 0; i < run.length; i += digits) {
    let value = 0;
    for (let k = i; k < i + digits; k++) {
      const digit = digitOf(run.charCodeAt(k));
      if (digit < 0) return undefined;
      value = (value << bits) | digit;
    }
    if (!isReadable(value) && ++odd > 2 + i / digits / 8) return undefined;
    bytes.push(value);
  }
  return letters(Uint8Array.from(bytes));
}

function bytesText(run: string, bits: number, digitOf: (unit: number) => number): string | undefined {
  const bytes = bytesOf(run, bits, digitOf);
  return bytes && letters(bytes);
}

/** Characters of `bits` bits, strung together and cut into bytes. Gives up at the first few bytes that are not text. */
function bytesOf(run: string, bits: number, digitOf: (unit: number) => number): Uint8Array | undefined {
  const bytes = new Uint8Array((run.length * bits) >> 3);
  let [buffer, filled, odd, length] = [0, 0, 0, 0];
  for (let i = 0; i < run.length; i++) {
    const unit = run.charCodeAt(i);
    if (unit === 10) continue;
    const value = digitOf(unit);
    if (value < 0) return undefined;
    buffer = ((buffer << bits) | value) & 0xffff;
    filled += bits;
    if (filled < 8) continue;
    filled -= 8;
    const byte = (buffer >> filled) & 255;
    if (!isReadable(byte) && ++odd > 2 + length / 8) return undefined;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

const isReadable = (byte: number): boolean =>
  (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9 || byte >= 0xc3;

function letters(bytes: Uint8Array): string | undefined {
  let plain = 0;
  for (let i = 0; i < bytes.length; i++) if (((bytes[i] ?? 0) | 32) >= 97 && ((bytes[i] ?? 0) | 32) <= 122) plain++;
  if (plain * 2 < bytes.length) return undefined;
  return textFrom(bytes);
}

function textFrom(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return text;
}

/** "73 103 110", "01001001 01100111", "49 67 6e", "111 147 156": one group of digits per letter. */
function numberRuns(view: View, words: Words): View[] {
  const found: View[] = [];
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
      const groups = Array.from({ length: Math.min(groupsMax, last - first + 1) }, (_, index) =>
        view.text.slice(start[first + index], end[first + index]),
      );
      const decoded = spelt(groups);
      if (decoded !== undefined) found.push(standIn(view, decoded, start[first] ?? 0, end[last] ?? 0));
    }
    first = last;
  }
  return found;
}

function groupWidth(text: string, start: number, end: number): number {
  const width = end - start;
  if (width > 8 || width < 2) return 0;
  const from = width === 4 && text.charCodeAt(start + 1) === 120 ? start + 2 : start;
  for (let i = from; i < end; i++) if (hexDigit(text.charCodeAt(i)) < 0) return 0;
  return width;
}

function spelt(groups: readonly string[]): string | undefined {
  for (const base of [2, 10, 8, 16]) {
    const read = (group: string) =>
      base === 2 && group.length < 7
        ? Number.NaN
        : Number.parseInt(base === 16 ? group.replace(/^0x/, "") : group, base);
    const isText = (group: string) => read(group) < 127 && isReadable(read(group));
    if (!groups.slice(0, groupsMin).every(isText) || !groups.every(isText)) continue;
    const text = letters(Uint8Array.from(groups, read));
    if (text !== undefined) return text;
  }
  return undefined;
}

const isMorse = (unit: number): boolean =>
  unit === 46 || unit === 45 || unit === 47 || unit === 32 || unit === 124 || unit === 10;

function morseRuns(view: View): View[] {
  const { text } = view;
  const found: View[] = [];
  if (!/[.-]{2}[ /|\n]/.test(text)) return found;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && isMorse(text.charCodeAt(i))) continue;
    if (i - start >= runMin) {
      const decoded = fromMorse(text.slice(start, i));
      if (decoded !== undefined) found.push(standIn(view, decoded, start, i));
    }
    start = i + 1;
  }
  return found;
}

function fromMorse(run: string): string | undefined {
  const codes = run.split(/[ \n]/).filter((code) => code !== "");
  const read = codes.map((code) =>
    code === "/" || code === "|" ? " " : (morse.get(code) ?? (code.length > 6 ? undefined : ".")),
  );
  const known = read.filter((letter) => letter !== undefined && letter !== ".").length;
  if (known < groupsMin || known * 4 < codes.length * 3) return undefined;
  return read.map((letter) => letter ?? " ").join("");
}
