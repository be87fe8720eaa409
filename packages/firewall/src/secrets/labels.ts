import type { Words } from "../text/words.ts";
import type { Span } from "../verdict.ts";
import {
  accountWords,
  foreignKeyLabels,
  formWords,
  keyNouns,
  privateKeyLabels,
  publicHexLabels,
  signingWords,
  walletKeyLabels,
} from "./rules.ts";
import { isHex } from "./values.ts";

export type Source = { readonly text: string; readonly words: Words };

/** Words before "key" that belong to its name, as in MAIN_PRIVATE_KEY. */
const nameWordsBefore = 2;
/** How far before a number a foreign label is searched, in units. */
const foreignLabelMax = 48;

/**
 * Whether a named value is a wallet's key: `private key: 0x…`. Without a prefix, a plain `secret` may be an
 * application's.
 */
export function isWalletKey({ text, words }: Source, i: number, { start, end }: Span): boolean {
  const hasPrefix = text.startsWith("0x", start);
  const digits = text.slice(hasPrefix ? start + 2 : start, end).replace(/\s/, "");
  if (digits.length !== 64 || !isHex(digits, 0, 64)) return false;
  let first = i;
  while (first > 0 && first > i - nameWordsBefore && (words.start[first] ?? 0) - (words.end[first - 1] ?? 0) === 1)
    first--;
  const name = text.slice(words.start[first], words.end[i]).toLowerCase();
  return (hasPrefix ? privateKeyLabels : walletKeyLabels).test(name);
}

/** Whether the words before word `i` label it as a private key. */
export function isLabelledPrivate(source: Source, i: number): boolean {
  const { words } = source;
  for (let back = i - 1; back >= 0 && back >= i - 6; back--) {
    const word = wordAt(source, back);
    // Skips the label of another number: "the private key of address 0x… is".
    if (/^0x[\da-f]{8,}$|^\d+$/.test(word)) {
      if (back > 0 && publicHexLabels.test(wordAt(source, back - 1))) back--;
      continue;
    }
    const isKeyValue = formWords.test(word) && back > 0 && wordAt(source, back - 1).endsWith("key");
    if (publicHexLabels.test(word) && !isKeyValue) return false;
    if (privateKeyLabels.test(word)) return true;
    if (back === i - 1 && isAccountKey(source, back, word)) return true;
    if (word === "key") continue;
    if ((words.start[i] ?? 0) - (words.start[back] ?? 0) > 60) return false;
  }
  return false;
}

/** `ETH_KEY=`, `import this key:`, `sign with 0x…`, `accounts: ["0x…"]`. */
function isAccountKey(source: Source, index: number, word: string): boolean {
  const previousWord = index > 0 ? wordAt(source, index - 1) : "";
  if (signingWords.test(word)) return previousWord === "sign";
  if (word === "accounts")
    return source.text.slice(source.words.end[index], source.words.start[index + 1]).includes("[");
  const named =
    /^(?:this|the|my|our|your|following)$/.test(previousWord) && index > 1 ? wordAt(source, index - 2) : previousWord;
  return word === "key" && accountWords.test(named);
}

/** Whether a label for private keys in another language precedes the number at `start`. */
export function isLabelledAbroad({ text }: Source, start: number): boolean {
  return foreignKeyLabels.test(text.slice(Math.max(0, start - foreignLabelMax), start).toLowerCase());
}

/** `0x… is my private key`. */
export function isCalledPrivate(source: Source, i: number): boolean {
  if (i + 1 >= source.words.count || !/^(?:is|was|as)$/.test(wordAt(source, i + 1))) return false;
  for (let next = i + 2; next < source.words.count && next <= i + 6; next++) {
    const word = wordAt(source, next);
    if (publicHexLabels.test(word)) return false;
    if (keyNouns.test(word)) return true;
  }
  return false;
}

/** The word before word `i`, which starts at `start`, if one sign is between them. */
export const wordBefore = (source: Source, i: number, start: number): string =>
  i > 0 && start - (source.words.end[i - 1] ?? 0) === 1 ? wordAt(source, i - 1) : "";

/** Word `i` in lower case. */
export function wordAt({ text, words }: Source, i: number): string {
  return text.slice(words.start[i], words.end[i]).toLowerCase();
}
