import { hashOf } from "../text/hashes.ts";
import { KEY_PREFIXES, LEXICON, PATTERNS, type Pattern, STOP_WORDS, type WordClass } from "./rules.ts";

/** Hashes are cut to 30 bits: engines store these integers without allocating. */
export const SMALL = 0x3fffffff;
const smallHashOf = (word: string): number => hashOf(word) & SMALL;

/** A position in a pattern, filled by a class of words. `slot` numbers the positions of all patterns. */
export type Step = { slot: number; isFirst: boolean; isLast: boolean; pattern: Pattern };

export const STEPS_ALL = PATTERNS.reduce((sum, { steps }) => sum + steps.length, 0);
const allSteps = PATTERNS.flatMap((pattern) =>
  pattern.steps.map((name, step) => ({
    name,
    isFirst: step === 0,
    isLast: step === pattern.steps.length - 1,
    pattern,
  })),
).map((step, slot) => ({ ...step, slot }));

/** Later steps first, so that one word cannot complete two steps of a pattern. */
const stepsOf = (classes: ReadonlySet<WordClass>): Step[] => allSteps.filter(({ name }) => classes.has(name)).reverse();

export const hex64Steps = stepsOf(new Set(["hex64"]));
export const stopWords = new Set(STOP_WORDS.split(" ").map(smallHashOf));

export const keyPrefixes = new Map<number, (readonly [string, number])[]>();
for (const entry of KEY_PREFIXES) {
  const first = entry[0].charCodeAt(0);
  keyPrefixes.set(first, [...(keyPrefixes.get(first) ?? []), entry]);
}

export const wordsByHash = new Map<number, { word: string; classes: Set<WordClass>; steps: Step[] }>();
for (const name of Object.keys(LEXICON) as (keyof typeof LEXICON)[]) {
  for (const word of LEXICON[name].split(" ")) {
    const classes = new Set([...(wordsByHash.get(smallHashOf(word))?.classes ?? []), name]);
    wordsByHash.set(smallHashOf(word), { word, classes, steps: stepsOf(classes) });
  }
}
