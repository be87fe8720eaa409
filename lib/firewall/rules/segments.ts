import { WordTable } from "./hashes";
import { latinWords, wordOf } from "./lexicon";

const jointWords =
  "a i an and or the to of in on at is are be it me my your you with without for from by as all any that this do not no now then please who user us will can".split(
    " ",
  );
const joints = new WordTable(jointWords.map((word) => [word, 1] as const));
const wordLengthMax = 16;

/** How long the words are that begin with the same three letters: most places begin none. */
const longestFrom = new Uint8Array(1 << 15);
const headOf = (letters: string, at: number): number =>
  ((letters.charCodeAt(at) & 31) << 10) | ((letters.charCodeAt(at + 1) & 31) << 5) | (letters.charCodeAt(at + 2) & 31);
for (const word of [...jointWords, ...latinWords]) {
  if (word.length < 3) continue;
  const head = headOf(word, 0);
  longestFrom[head] = Math.min(wordLengthMax, Math.max(longestFrom[head] ?? 0, word.length));
}

/** Letters without spaces, cut greedily into the longest known words; what is none of them stays together. */
export function segmented(letters: string): { text: string; known: number; covered: number } {
  const parts: string[] = [];
  let [unknown, known, covered, i] = ["", 0, 0, 0];
  while (i < letters.length) {
    const length = longestWord(letters, i);
    if (length === 0) {
      unknown += letters.charAt(i++);
      continue;
    }
    if (unknown !== "") parts.push(unknown);
    unknown = "";
    parts.push(letters.slice(i, i + length));
    known += length > 3 ? 1 : 0;
    covered += length;
    i += length;
  }
  if (unknown !== "") parts.push(unknown);
  return { text: parts.join(" "), known, covered };
}

function longestWord(letters: string, at: number): number {
  let hash = 0x811c9dc5;
  let longest = 0;
  const left = letters.length - at;
  const lengthMax = Math.min(left, left > 2 ? Math.max(2, longestFrom[headOf(letters, at)] ?? 0) : 2);
  for (let length = 1; length <= lengthMax; length++) {
    hash = Math.imul(hash ^ letters.charCodeAt(at + length - 1), 0x01000193);
    if ((length > 2 && wordOf(hash) !== 0) || joints.get(hash) !== 0) longest = length;
  }
  return longest;
}
