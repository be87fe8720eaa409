import { sha256 } from "viem";
import { english } from "viem/accounts";
import { WordTable } from "./hashes";
import type { Words } from "./words";

const table = new WordTable(english.map((word, index) => [word, index + 1] as const));
const lengths = [24, 21, 18, 15, 12];
/** Between two words of a phrase: a space, a comma and a line's number. */
const gapMax = 8;
/** A text of nothing but such words has as many candidates as words. */
const checksMax = 32;

/** Recovery phrases: 12 to 24 words in a row from the BIP-39 list whose checksum is right, as first and last word. */
export function mnemonics(text: string, words: Words): { first: number; last: number }[] {
  const found: { first: number; last: number }[] = [];
  let checks = 0;
  let row: number[] = [];
  const examine = () => {
    for (let at = 0; at + 12 <= row.length && checks < checksMax; at++) {
      const length = lengths.find(
        (size) =>
          at + size <= row.length &&
          checks++ < checksMax &&
          isValid(row.slice(at, at + size).map((i) => table.get(words.hash[i] ?? 0) - 1)),
      );
      if (length === undefined) continue;
      found.push({ first: row[at] ?? 0, last: row[at + length - 1] ?? 0 });
      at += length - 1;
    }
    row = [];
  };
  for (let i = 0; i < words.count; i++) {
    const start = words.start[i] ?? 0;
    const isListed = table.get(words.hash[i] ?? 0) !== 0;
    if (!isListed && isLineNumber(text, start, words.end[i] ?? 0)) continue;
    const previous = row.at(-1);
    if (previous !== undefined && (!isListed || start - (words.end[previous] ?? 0) > gapMax)) examine();
    if (isListed) row.push(i);
  }
  examine();
  return found;
}

function isLineNumber(text: string, start: number, end: number): boolean {
  return end - start <= 2 && text.charCodeAt(start) < 58 && text.charCodeAt(end - 1) < 58;
}

/** Eleven bits a word: entropy, then a 33rd of them all from the entropy's hash. */
function isValid(indexes: readonly number[]): boolean {
  const checkBits = indexes.length / 3;
  const bytes = new Uint8Array((indexes.length * 11 + 7) >> 3);
  let [buffer, filled, length] = [0, 0, 0];
  for (const index of indexes) {
    buffer = ((buffer << 11) | index) & 0x7ffff;
    for (filled += 11; filled >= 8; filled -= 8) bytes[length++] = buffer >> (filled - 8);
  }
  if (filled > 0) bytes[length] = buffer << (8 - filled);
  const entropyBytes = (indexes.length * 11 - checkBits) >> 3;
  const [first = 0] = sha256(bytes.subarray(0, entropyBytes), "bytes");
  return first >> (8 - checkBits) === (bytes[entropyBytes] ?? 0) >> (8 - checkBits);
}
