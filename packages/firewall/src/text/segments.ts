import { commonWords } from "./common-words.ts";
import { hashed, hashStart, WordTable } from "./hashes.ts";
import { lexiconEntries } from "./lexicon.ts";

/** Short words that count when cutting letters into words. Others of this length are too often accidental. */
const shortWords = "a i an or to of in on at is be it me my by as do no us".split(" ");
const joints = [...shortWords, ...commonWords.filter((word) => word.length > 2)];
/** Of Latin letters only: words of other scripts are long without being glued together. */
const parts = [...joints, ...lexiconEntries.map(([word]) => word).filter((word) => /^[a-z]{3,}$/.test(word))];
const table = new WordTable(parts.map((part) => [part, 1] as const));
const wordLengthMax = 16;

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
  const lengthMax = Math.min(letters.length - index, wordLengthMax);
  for (let length = 1; length <= lengthMax; length++) {
    hash = hashed(hash, letters.charCodeAt(index + length - 1));
    if (table.get(hash) !== 0) longest = length;
  }
  return longest;
}
