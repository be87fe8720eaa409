import { commonWords } from "./common-words.ts";
import { hashed, hashStart, WordTable } from "./hashes.ts";
import { latinWords, lexiconEntries } from "./lexicon.ts";

/** Short words that count when cutting letters into words. Others of this length are too often accidental. */
const shortWords = "a i an or to of in on at is be it me my by as do no us".split(" ");
const joints = [...shortWords, ...commonWords.filter((word) => word.length > 2)];
const parts = [...joints, ...lexiconEntries.map(([word]) => word).filter((word) => word.length > 2)];
const table = new WordTable(parts.map((part) => [part, 1] as const));
const wordLengthMax = 16;

/** By the first three letters: the length of the longest word that starts with them. */
const longestFrom = new Uint8Array(1 << 15);
const headOf = (letters: string, index: number): number =>
  ((letters.charCodeAt(index) & 31) << 10) |
  ((letters.charCodeAt(index + 1) & 31) << 5) |
  (letters.charCodeAt(index + 2) & 31);
for (const word of [...joints, ...latinWords]) {
  if (word.length < 3) continue;
  const head = headOf(word, 0);
  longestFrom[head] = Math.min(wordLengthMax, Math.max(longestFrom[head] ?? 0, word.length));
}

/** By the first two letters: the length of the longest word of one or two letters. */
const shortestFrom = new Uint8Array(1 << 10);
for (const word of shortWords) {
  const first = (word.charCodeAt(0) & 31) << 5;
  if (word.length === 2) shortestFrom[first | (word.charCodeAt(1) & 31)] = 2;
  else for (let pair = first; pair < first + 32; pair++) shortestFrom[pair] = Math.max(1, shortestFrom[pair] ?? 0);
}

/**
 * Cuts letters without spaces greedily into the longest known words. Unknown parts stay together. `known`: the number of words longer than three;
 * `covered`: how many letters words cover.
 */
export function segmented(letters: string): { text: string; known: number; covered: number } {
  const parts: string[] = [];
  let [unknown, knownCount, covered, i] = ["", 0, 0, 0];
  while (i < letters.length) {
    const length = longestWord(letters, i);
    if (length === 0) {
      unknown += letters.charAt(i++);
      continue;
    }
    if (unknown !== "") parts.push(unknown);
    unknown = "";
    parts.push(letters.slice(i, i + length));
    knownCount += length > 3 ? 1 : 0;
    covered += length;
    i += length;
  }
  if (unknown !== "") parts.push(unknown);
  return { text: parts.join(" "), known: knownCount, covered };
}

function longestWord(letters: string, index: number): number {
  let hash = hashStart;
  let longest = 0;
  const remainingLength = letters.length - index;
  const head = remainingLength > 2 ? headOf(letters, index) : 0;
  const lengthMax =
    remainingLength > 2
      ? Math.min(remainingLength, Math.max(shortestFrom[head >> 5] ?? 0, longestFrom[head] ?? 0))
      : remainingLength;
  for (let length = 1; length <= lengthMax; length++) {
    hash = hashed(hash, letters.charCodeAt(index + length - 1));
    if (table.get(hash) !== 0) longest = length;
  }
  return longest;
}
