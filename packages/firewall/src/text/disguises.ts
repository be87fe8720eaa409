import { WordTable } from "./hashes.ts";
import { unleeted } from "./leet.ts";
import { isKnown } from "./lexicon.ts";
import { Pieces } from "./pieces.ts";
import { unglued, unspaced } from "./spacing.ts";
import { derived, textOf, type View } from "./view.ts";
import type { Words } from "./words.ts";

/** Words that attacks need. Two of them in the same disguise reveal the disguise. */
const revealing =
  "ignore disregard forget previous prior instructions instruction system prompt reveal password private secret without override everything rules above guidelines commands directions transfer wallet phrase developer restrictions contents attacker balance immediately unrestricted confirmation".split(
    " ",
  );
const revealingMin = 2;

/** `of` returns the disguised forms of a word. `undo` reveals the units from `start` to `end` of the view. */
type Disguise = {
  of: (word: string) => string[];
  undo: (view: View, words: Words, start: number, end: number) => View;
};

/** In units: the part of a disguised text that is read, from a little before its first revealing word. */
const [undoneBefore, undoneLengthMax] = [600, 8000];

/** The units from `start` to `end` with every letter replaced by its entry in `letters`, in lower case. */
function swapped(text: string, start: number, end: number, letters: Uint8Array): string {
  const codes = new Uint16Array(end - start);
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const lower = unit | 32;
    codes[i - start] = lower >= 97 && lower <= 122 && unit < 128 ? (letters[lower - 97] ?? 0) : unit;
  }
  return textOf(codes, end - start);
}

const lettersBy = (swap: (letter: number) => number): Uint8Array =>
  Uint8Array.from({ length: 26 }, (_, letter) => 97 + swap(letter));

function byLetter(hide: (letter: number) => number, show: (letter: number) => number): Disguise {
  const [hidden, plainLetters] = [lettersBy(hide), lettersBy(show)];
  return {
    of: (word) => [swapped(word, 0, word.length, hidden)],
    undo: (view, _, start, end) => {
      const text = swapped(view.text, start, end, plainLetters);
      const { from, to } = unitsFrom(start, text.length);
      return derived(view, text, from, to);
    },
  };
}

function unitsFrom(start: number, length: number): { from: Int32Array; to: Int32Array } {
  const from = new Int32Array(length);
  const to = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    from[i] = start + i;
    to[i] = start + i + 1;
  }
  return { from, to };
}

const backwards: Disguise = {
  of: (word) => [[...word].reverse().join("")],
  undo: (view, _, start, end) => {
    const text = view.text.slice(start, end).split("").reverse().join("");
    const { from, to } = unitsFrom(start, text.length);
    return derived(view, text, from.reverse(), to.reverse());
  },
};

const pigLatin: Disguise = {
  of: (word) =>
    [1, 2, 3]
      .map((movedCount) => `${word.slice(movedCount)}${word.slice(0, movedCount)}ay`)
      .concat(`${word}way`, `${word}yay`, `${word}hay`),
  undo: (view, words, start, end) => rewritten(view, words, start, end, fromPigLatin),
};

const disguises: readonly Disguise[] = [
  ...Array.from({ length: 25 }, (_, shift) =>
    byLetter(
      (letter) => (letter + shift + 1) % 26,
      (letter) => (letter + 25 - shift) % 26,
    ),
  ),
  byLetter(
    (letter) => 25 - letter,
    (letter) => 25 - letter,
  ),
  backwards,
  pigLatin,
];

const hiddenWords = disguises.flatMap(({ of: disguiseWord }, index) =>
  revealing.flatMap((word) => disguiseWord(word).map((hidden) => [hidden, index + 1] as const)),
);
const table = new WordTable(hiddenWords);
export const disguisedWords: readonly string[] = hiddenWords.map(([hidden]) => hidden);

/** The text without each disguise that it seems to have. Generated on demand, since few are read. */
export function* undisguised(view: View, words: Words): Generator<View> {
  if (words.isDisguised) yield* exchanged(view, words);
  for (const respelt of [unspaced, unglued, unleeted]) {
    const plainView = respelt(view, words);
    if (plainView) yield plainView;
  }
}

function* exchanged(view: View, words: Words): Generator<View> {
  const hitsByDisguise = new Map<number, { count: number; hash: number; first: number }>();
  for (let i = 0; i < words.count; i++) {
    if (words.word[i] !== 0) continue;
    const hash = words.hash[i] ?? 0;
    const index = table.get(hash);
    if (index === 0) continue;
    const hits = hitsByDisguise.get(index);
    if (!hits) hitsByDisguise.set(index, { count: 1, hash, first: words.start[i] ?? 0 });
    else if (hits.hash !== hash) {
      hits.count++;
      hits.hash = hash;
    }
  }
  for (const [index, { count, first }] of hitsByDisguise) {
    const disguise = disguises[index - 1];
    if (!disguise || count < revealingMin) continue;
    const start = Math.max(0, first - undoneBefore);
    yield disguise.undo(view, words, start, Math.min(view.text.length, start + undoneLengthMax));
  }
}

function rewritten(view: View, words: Words, from: number, to: number, rewrite: (word: string) => string): View {
  const pieces = new Pieces();
  for (let i = 0; i < words.count; i++) {
    const [start, end] = [words.start[i] ?? 0, words.end[i] ?? 0];
    if (start < from || end > to) continue;
    pieces.add(`${rewrite(view.text.slice(start, end).toLowerCase())} `, start, end);
  }
  return pieces.view(view);
}

function fromPigLatin(word: string): string {
  if (word.length < 4 || word.length > 24 || !word.endsWith("ay")) return word;
  const stem = word.slice(0, -2);
  const candidates = [1, 2, 3]
    .map((movedCount) => stem.slice(-movedCount) + stem.slice(0, -movedCount))
    .concat(stem.slice(0, -1));
  return candidates.find(isKnown) ?? candidates[0] ?? word;
}
