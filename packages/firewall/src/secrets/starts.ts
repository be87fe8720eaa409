import { keyPatterns, wordPatterns } from "./rules.ts";

const [LOWER_C, LOWER_U] = [99, 117];

type Patterns = { any: RegExp; each: RegExp[] };
/** Patterns by their first two characters, so that most words are dismissed by one lookup. */
const byStart = new Map<string, Patterns>();
for (const pattern of keyPatterns) {
  const start = pattern.slice(0, 2);
  const previousPatterns = byStart.get(start);
  byStart.set(start, {
    any: new RegExp(previousPatterns ? `${previousPatterns.any.source}|${pattern}` : pattern, "y"),
    each: [...(previousPatterns?.each ?? []), new RegExp(pattern, "y")],
  });
}

/** The patterns that can match at `index`. */
export const patternsAt = (text: string, index: number): Patterns | undefined =>
  byStart.get(text.slice(index, index + 2));

/** A Bloom filter of the first three characters of the patterns. */
export const keyStarts = new Int32Array(512);
export const startOf = (first: number, second: number, third: number): number =>
  (Math.imul((first << 14) | (second << 7) | third, 0x9e3779b1) >>> 18) & 0x3fff;
for (const pattern of keyPatterns) {
  const mayFollow = thirdOf(pattern);
  for (let third = 0; third < 128; third++) {
    if (!mayFollow.test(String.fromCharCode(third))) continue;
    const bit = startOf(pattern.charCodeAt(0), pattern.charCodeAt(1), third);
    keyStarts[bit >> 5] = (keyStarts[bit >> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** The letters and digits that can be third in a key. */
function thirdOf(pattern: string): RegExp {
  const [, one, group] = /^..(?:(\[[^\]]+\]|\\.|[\w/~-])(?![?*])|\(\?:([\w|]+)\))/.exec(pattern) ?? [];
  if (one !== undefined) return new RegExp(one);
  return group === undefined ? /./s : new RegExp(`[${group.replace(/(\w)\w*\|?/g, "$1")}]`);
}

/**
 * By first letter: a bit set of the lengths of words that matter, as BEGIN of a PEM file, curl and its option, a scheme
 * before a token.
 */
export const tellingLengths = new Uint8Array(128);
for (const letter of "BbTt") tellingLengths[letter.charCodeAt(0)] = (1 << 5) | (1 << 6);
tellingLengths[LOWER_C] = 1 << 4;
tellingLengths[LOWER_U] = (1 << 1) | (1 << 4);
/** By the unit after a name: 1 a space, 2 continues some keys, 3 leads to a value, 4 does so after any word, 5 after a name. */
export const followers = new Uint8Array(128);
for (const [signs, kind] of [
  [" ", 1],
  [".-|", 2],
  ["=>\"'`\\\t\n", 3],
  [":~", 4],
  ["_(", 5],
] as const)
  for (const sign of signs) followers[sign.charCodeAt(0)] = kind;
export const byLength = new Map<number, RegExp>();
for (const [lengths, pattern] of wordPatterns)
  for (const length of lengths) byLength.set(length, new RegExp(pattern, "y"));
