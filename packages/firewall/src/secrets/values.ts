import { sha256 } from "viem";
import { base58Of } from "../chain/public-addresses.ts";
import { hexDigit } from "../text/ascii.ts";
import { decodedBase64 } from "../text/runs.ts";
import { isLetterOrDigit } from "../text/view.ts";
import { placeholders, sampleWords } from "./rules.ts";

const [COLON, EQUALS, DASH, SPACE, LOWER_I, LINE_END] = [58, 61, 45, 32, 105, 10];
const valueLengthMax = 300;

/** The end of what a sticky pattern matches at `index`, or -1. */
export function matchEnd(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** `value` on the line after a name. */
const valueLine = /\s{1,20}["']?(?:secret_?)?value/y;

/**
 * A fast filter: whether a value can follow the name that ends at `end`. Most words are followed by a space and another
 * word.
 */
export function mayGive(text: string, start: number, end: number, next: number): boolean {
  if (next === 0) return false;
  if (next === LINE_END) return matchEnd(valueLine, text, end) >= 0;
  if (next !== SPACE || end + 1 >= text.length) return true;
  const unitAfterSpace = text.charCodeAt(end + 1);
  return unitAfterSpace === LOWER_I || !isLetterOrDigit(unitAfterSpace) || text.charCodeAt(start - 1) === DASH;
}

/** The start of the value assigned to the name that ends at `end`, or -1. */
export function valueAfter(text: string, end: number, isOption: boolean): number {
  let i = end;
  const limit = end + 12;
  let isGiven = isOption;
  for (; i < limit; i++) {
    const unit = text.charCodeAt(i);
    if (unit === COLON || unit === EQUALS || unit === 62) isGiven = true;
    else if (unit === 105 && text.startsWith("is ", i) && text.charCodeAt(i - 1) === SPACE && !isGiven) {
      isGiven = true;
      i += 2;
    } else if (unit !== SPACE && unit !== 34 && unit !== 39 && unit !== 96 && unit !== 92 && unit !== 9) break;
  }
  return isGiven && i < text.length && i > end ? i : -1;
}

/** White space, quotes, brackets that close, and what is no ASCII. */
const ends = new Uint8Array(127).fill(1, 0, SPACE + 1);
for (const sign of "\"'`,;<>)}") ends[sign.charCodeAt(0)] = 1;
export const endsValue = (unit: number): boolean => unit > 126 || ends[unit] === 1;

export function valueEnd(text: string, from: number): number {
  let to = from;
  while (to < text.length && to - from < valueLengthMax && !endsValue(text.charCodeAt(to))) to++;
  return to;
}

/** Whether a value is no placeholder, word or call. */
export function isWorthHiding(value: string, lengthMin: number): boolean {
  if (value.length < lengthMin || placeholders.test(value) || value.includes("(") || value.includes("://"))
    return false;
  if (/^0x[\da-f]{40}$/i.test(value) || (/^[a-z_]\w*(?:\.[a-z_]\w*)+\W?$/i.test(value) && !hasRandomPart(value)))
    return false;
  // A password can have any sign and few kinds of them. A token is drawn from an alphabet without a question mark.
  const isToken = lengthMin >= tokenLengthMin;
  if (isToken && (value.includes("?") || VERSIONED.test(value))) return false;
  if (!/[A-Za-z]/.test(value) || !(/\d/.test(value) || (isToken && isLetterKey(value)))) return false;
  return isRandom(value) && !isSample(value);
}

/** Words and a version, as the names of packages and files have. */
const VERSIONED = /^[a-z]{2,}(?:[-_.:/][a-z]{2,})*[-_.:/]v?\d{1,4}(?:\.\d{1,4}){0,3}$/i;
/** In units: names other than a password's give no shorter values. */
const tokenLengthMin = 10;

/** Whether a part of a value with dots is no name of a member. */
export const hasRandomPart = (value: string): boolean =>
  value.split(".").some((part) => part.length >= 16 && (changesIn(part) >= 4 || isLetterKey(part)));

/** How often letters and digits follow each other. */
export const changesIn = (value: string): number => value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;

/** In units. */
const letterKeyMin = 16;

/** Whether letters without a digit are drawn by lot. Words have more vowels, and no five letters without one. */
export function isLetterKey(value: string): boolean {
  if (value.length < letterKeyMin || !/^[A-Za-z_+/=-]+$/.test(value) || !/[a-z]/.test(value)) return false;
  const vowels = value.match(/[aeiou]/gi)?.length ?? 0;
  return /[b-df-hj-np-tv-z]{5}/i.test(value) && vowels <= value.length * vowelShareMax;
}

/** A fifth of letters drawn by lot are vowels, and a third of those in words. */
const vowelShareMax = 0.28;

/** In units. Longer parts of a token belong to no offer. */
const partLengthMax = 4096;

export const decodedPart = (part: string): string => (part.length > partLengthMax ? "" : (decodedBase64(part) ?? ""));

/** Whether the value has several different characters and none of them dominates. */
export function isRandom(value: string): boolean {
  if (/x{5}|X{5}|0{9}|\*{4}|EXAMPLE$|EXAMPLEKEY$|EXAMPLEEXAMPLE|PUT_|HERE|abcdefghij|0123456789|ABCDEFGHIJ/.test(value))
    return false;
  counts.fill(0);
  let [kinds, most] = [0, 0];
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i) & 0xff;
    const count = (counts[unit] ?? 0) + 1;
    counts[unit] = count;
    if (count === 1) kinds++;
    if (count > most) most = count;
  }
  return kinds >= Math.min(7, value.length * 0.6) && most * 2.2 < value.length;
}

/** A random key of this length or more has every short word by chance. */
const wordlessLength = 200;

/**
 * Whether a key is one that documentation makes up: it has a word that says so, counts up as `a1b2c3d4` does, or repeats
 * a short part.
 */
export function isSample(key: string): boolean {
  if (key.length < wordlessLength && sampleWords.test(key)) return true;
  let [rising, alternating] = [0, 0];
  for (let i = 2; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    if (unit - key.charCodeAt(i - 1) === 1) rising++;
    if (unit - key.charCodeAt(i - 2) === 1) alternating++;
  }
  const mostly = key.length * sampleShare;
  return rising > mostly || alternating > mostly || repeats(key);
}

/** Random keys have two percent of such neighbours. */
const sampleShare = 0.4;
const periodMax = 10;

/** Whether the last three quarters repeat a part of at most `periodMax` characters. */
function repeats(key: string): boolean {
  const from = key.length >> 2;
  for (let period = 1; period <= periodMax && period * 3 <= key.length - from; period++) {
    let same = 0;
    for (let i = from + period; i < key.length; i++) if (key.charCodeAt(i) === key.charCodeAt(i - period)) same++;
    if (same >= key.length - from - period - 1) return true;
  }
  return false;
}

/** Reused for every value. */
const counts = new Uint16Array(256);

/**
 * Base58Check: a byte 0x80, the 32 bytes of the key, an optional compression flag, and four bytes of the double
 * SHA-256.
 */
export function isWif(text: string): boolean {
  const hex = base58Of(text).toString(16);
  if ((hex.length !== 74 && hex.length !== 76) || !hex.startsWith("80")) return false;
  return sha256(sha256(`0x${hex.slice(0, -8)}`)).startsWith(`0x${hex.slice(-8)}`);
}

export const isProof = (json: string): boolean =>
  (json.includes("x402Version") && (json.includes("payload") || json.includes("signature"))) ||
  (json.includes("signature") &&
    (json.includes("authorization") || json.includes("andate") || json.includes("permit")));

const inBase64 = Uint8Array.from({ length: 128 }, (_, unit) =>
  isLetterOrDigit(unit) || unit === 43 || unit === 47 || unit === EQUALS || unit === DASH || unit === 95 ? 1 : 0,
);
export const isBase64 = (unit: number): boolean => unit < 128 && inBase64[unit] === 1;

export function isHex(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (hexDigit(text.charCodeAt(i)) < 0) return false;
  return true;
}

/** Includes the scheme before a webhook address, which as a whole is the secret. */
export function withScheme(text: string, start: number): number {
  return text.startsWith("https://", start - 8) ? start - 8 : text.startsWith("http://", start - 7) ? start - 7 : start;
}
