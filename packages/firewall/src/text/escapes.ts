import { hexDigit } from "./ascii.ts";
import { bitsOf } from "./signs.ts";
import { composed, textOf, type View } from "./view.ts";
import type { Words } from "./words.ts";

/** Fewer escapes are an ampersand or a space in an address. */
const escapesMin = 3;
const [AMPERSAND, PERCENT, EQUALS, BACKSLASH, HASH, SEMICOLON, NEWLINE] = [38, 37, 61, 92, 35, 59, 10];
const [LOWER_N, LOWER_R, LOWER_T, LOWER_U, LOWER_X] = [110, 114, 116, 117, 120];

const named = new Map(
  "amp38 lt60 gt62 quot34 apos39 nbsp32 excl33 period46 comma44 colon58 num35 lpar40 rpar41 sol47 bsol92 lowbar95 shy32 zwj32"
    .split(" ")
    .map((entry) => [entry.replace(/\d/g, ""), Number(entry.replace(/\D/g, ""))]),
);
const namedLengthMax = 6;

/** How many units around an escape are read again with it. The rest of the text has been read already. */
const around = 240;
const signs = /[&%=\\]/g;
const escapeSigns = bitsOf("&%=\\");
/** Tries this many units before it starts a search, which is slower where signs are dense. */
const signsNear = 4;

let scratch = new Uint16Array(1024);

/**
 * The text around HTML entities and percent, quoted-printable and backslash escapes, with these resolved. undefined
 * when there are few.
 */
export function unescaped(view: View, words: Words): View | undefined {
  const { text } = view;
  if ((words.signs & escapeSigns) === 0 || !hasEscapes(text, words.units)) return undefined;
  // The result is never longer: an escape is longer than its character, and a part left out longer than the break in
  // its place.
  if (scratch.length < text.length) scratch = new Uint16Array(text.length);
  const codes = scratch;
  const moves: { at: number[]; from: number[]; to: number[] } = { at: [], from: [], to: [] };
  let [length, copied] = [0, 0];
  const writeUnit = (unit: number, start: number, end: number) => {
    moves.at.push(length);
    moves.from.push(start);
    moves.to.push(end);
    codes[length++] = unit;
  };
  const copy = (end: number) => {
    if (end <= copied) return;
    codes.set(words.units.subarray(copied, end), length);
    length += end - copied;
    copied = end;
  };
  for (let i = nextSign(text, 0); i >= 0; i = nextSign(text, i)) {
    const escapeCode = escapeAt(text, i, text.charCodeAt(i));
    if (escapeCode === 0) {
      i++;
      continue;
    }
    if (i - copied > 2 * around) {
      if (copied > 0) copy(copied + around);
      copied = i - around;
      writeUnit(NEWLINE, copied - 2, copied - 1);
      writeUnit(NEWLINE, copied - 1, copied);
    }
    copy(i);
    writeUnit(escapeCode >> 4, i, i + (escapeCode & 15));
    i += escapeCode & 15;
    copied = i;
  }
  copy(Math.min(text.length, copied + around));
  const { at: offsets, from, to } = moves;
  const plain = textOf(codes, length);
  codes.fill(0, 0, length);
  const plainView: View = {
    text: plain,
    moves: { at: Int32Array.from(offsets), from: Int32Array.from(from), to: Int32Array.from(to) },
  };
  return composed(view, plainView);
}

/** Whether there are enough escapes. Escaped line ends do not count, because all code has them. */
function hasEscapes(text: string, units: Uint16Array): boolean {
  let count = 0;
  for (let i = nextSign(text, 0); i >= 0; i = nextSign(text, i)) {
    const unit = units[i] ?? 0;
    const next = i + 1 < text.length ? (units[i + 1] ?? 0) : 0;
    if (unit === BACKSLASH && next !== LOWER_X && next !== LOWER_U) {
      i += next === LOWER_N || next === LOWER_R || next === LOWER_T ? 2 : 1;
      continue;
    }
    const length = escapeAt(text, i, unit) & 15;
    if (length > 0 && ++count >= escapesMin) return true;
    i += length === 0 ? 1 : length;
  }
  return false;
}

/** The offset at or after `index` where an escape can start, or -1. */
function nextSign(text: string, index: number): number {
  const limit = Math.min(text.length, index + signsNear);
  for (let i = index; i < limit; i++) {
    const unit = text.charCodeAt(i);
    if (unit === AMPERSAND || unit === PERCENT || unit === EQUALS || unit === BACKSLASH) return i;
  }
  signs.lastIndex = limit;
  return signs.test(text) ? signs.lastIndex - 1 : -1;
}

/** The escape at `index`: its character times 16, plus its length in units. 0 for none. */
function escapeAt(text: string, index: number, unit: number): number {
  if (unit === AMPERSAND) return text.charCodeAt(index + 1) === HASH ? numbered(text, index) : entity(text, index);
  if (unit === PERCENT || unit === EQUALS) return digits(text, index, index + 1, 2);
  const kind = index + 1 < text.length ? text.charCodeAt(index + 1) : 0;
  if (kind === LOWER_X) return digits(text, index, index + 2, 2);
  if (kind === LOWER_U && text.charAt(index + 2) !== "{") return digits(text, index, index + 2, 4);
  if (kind === LOWER_U) {
    let end = index + 3;
    while (end < index + 9 && hexDigit(text.charCodeAt(end)) >= 0) end++;
    const value = digits(text, index, index + 3, end - index - 3);
    return text.charAt(end) === "}" && value !== 0 ? value + 1 : 0;
  }
  return kind === LOWER_N || kind === LOWER_T || kind === LOWER_R ? (32 << 4) | 2 : 0;
}

/** `count` hexadecimal digits from `start`, of an escape that starts at `index`. Returns as `escapeAt` does. */
function digits(text: string, index: number, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0) return 0;
    value = value * 16 + digit;
  }
  return count > 0 && value > 0 && value < 0xffff ? (value << 4) | (start + count - index) : 0;
}

function numbered(text: string, index: number): number {
  const isHex = (text.charCodeAt(index + 2) | 32) === 120;
  let [value, i] = [0, index + (isHex ? 3 : 2)];
  const start = i;
  for (; i < start + 7; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0 || (!isHex && digit > 9)) break;
    value = value * (isHex ? 16 : 10) + digit;
  }
  if (i === start || value === 0 || value > 0xffff) return 0;
  const end = text.charCodeAt(i) === SEMICOLON ? i + 1 : i;
  return (value << 4) | (end - index);
}

function entity(text: string, index: number): number {
  let end = index + 1;
  while (end <= index + namedLengthMax && text.charCodeAt(end) !== SEMICOLON) end++;
  if (text.charCodeAt(end) !== SEMICOLON) return 0;
  const unit = named.get(text.slice(index + 1, end).toLowerCase());
  return unit === undefined ? 0 : (unit << 4) | (end + 1 - index);
}
