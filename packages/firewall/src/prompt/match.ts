import { type ClassSet, classHigh, classLow, classSet, classTop, isWordIn, wordCount } from "../text/lexicon.ts";
import type { Words } from "../text/words.ts";
import { phrases } from "./phrases.ts";
import type { PromptRule } from "./rules.ts";

/** A match of a phrase: words `first` to `last`. */
export type Match = { rule: PromptRule; first: number; last: number };

type Step = ClassSet & { gap: number };
type Phrase = { rule: PromptRule; index: number; number: number; steps: Step[] };
type Bag = {
  rule: PromptRule;
  index: number;
  number: number;
  sets: ClassSet[];
  window: number;
  mayBeNegated: boolean;
  isForeign: boolean;
};

const secretForms = ["secret", "keykind 0 key"];

const ruleNames = phrases.map(([rule]) => rule);
const sequences: Phrase[] = [];
const bags: Bag[] = [];
for (const [rule, patterns] of phrases) {
  for (const pattern of patterns) {
    if (pattern.startsWith("{")) bags.push(bagOf(rule, pattern, bags.length));
    else
      for (const form of secretForms)
        if (form === "secret" || pattern.includes("@secret"))
          sequences.push(phraseOf(rule, pattern.replace("@secret", form), sequences.length));
  }
}

/** Negations that reverse "ignore". */
const negation = classSet(["not"]);
const foreign = classSet(["foreign"]);
/** Phrases in reverse order. Only small gaps are allowed, or ordinary text would match. */
const backwards = ["ignore 1 prior 0 instr", "ignore 1 instr 0 after"].map((pattern, index) =>
  phraseOf("override", pattern, sequences.length + index),
);

/** What can start at a word: a phrase, read in either direction, or a bag (words in any order). */
type Opening = { phrase: Phrase; bag?: undefined; direction: 1 | -1 } | { phrase?: undefined; bag: Bag; direction: 1 };
/** By word: what can start with it. */
const openings: Opening[][] = startingWith(
  [
    ...sequences.map((phrase): Opening => ({ phrase, direction: 1 })),
    ...bags.map((bag): Opening => ({ bag, direction: 1 })),
    ...backwards.map((phrase): Opening => ({ phrase, direction: -1 })),
  ],
  ({ phrase, bag }) => (phrase ? phrase.steps[0] : bag.sets[0]),
);

/** More matches of one rule add nothing to the verdict. */
const matchesPerRuleMax = 3;
/** Bounds the work per text; beyond it, `crowded` is found. The longest ordinary texts take less than half. */
const stepsMax = 10_000;

/** All phrases in the words, each rule a few times at most. The work is bounded by `stepsMax`. */
export function match(words: Words): { matches: Match[]; isCrowded: boolean } {
  const lexiconWords = knownWords(words);
  const finder = new Finder(lexiconWords);
  scans++;
  const isLong = lexiconWords.count >= longFrom;
  for (let k = 0; k < lexiconWords.count && finder.steps < stepsMax; k++) {
    const wordId = lexiconWords.word[k] ?? 0;
    if (scanOf[wordId] !== scans) {
      scanOf[wordId] = scans;
      chancesOf[wordId] = isLong ? finder.chancesOf(wordId) : (openings[wordId] ?? []);
    }
    for (const { phrase, bag, direction } of chancesOf[wordId] ?? []) {
      if (phrase) finder.sequence(phrase, k, direction);
      else finder.bag(bag, k);
    }
  }
  return { matches: finder.matches, isCrowded: finder.steps >= stepsMax };
}

const none = new Uint8Array(0);

/** In shorter texts, trying every opening is faster than computing which ones are possible. */
const longFrom = 100;

/** By word of the lexicon: the openings that are possible in the text of the current scan. */
const chancesOf: (readonly Opening[])[] = Array.from({ length: wordCount }, () => []);
const scanOf = new Float64Array(wordCount);
let scans = 0;

/** The words of a text that the lexicon has. */
type Known = {
  count: number;
  word: Uint16Array;
  /** The index of each in the text. */
  place: Int32Array;
  sentence: Int32Array;
  low: Int32Array;
  high: Int32Array;
  top: Int32Array;
  /** All classes of all of them. */
  all: ClassSet;
};

const [CHANCE, NO_CHANCE]: readonly [number, number] = [1, 2];

class Finder {
  readonly matches: Match[] = [];
  private readonly counts = new Uint8Array(ruleNames.length);
  /** By the number of a phrase or bag: 0 until computed, then whether the text has words for all of its classes. */
  private readonly chances: Uint8Array;
  private readonly bagChances: Uint8Array;
  steps = 0;

  constructor(private readonly lexiconWords: Known) {
    this.chances = lexiconWords.count < longFrom ? none : new Uint8Array(sequences.length + backwards.length);
    this.bagChances = lexiconWords.count < longFrom ? none : new Uint8Array(bags.length);
  }

  /** What can start with the word and has words for all of its classes. Empty for most words. */
  chancesOf(wordId: number): readonly Opening[] {
    const all = openings[wordId] ?? [];
    if (all.length === 0) return all;
    return all.filter(({ phrase, bag }) =>
      phrase
        ? this.hasChance(this.chances, phrase.number, phrase.steps)
        : this.hasChance(this.bagChances, bag.number, bag.sets),
    );
  }

  sequence({ rule, index, steps }: Phrase, from: number, direction: 1 | -1): void {
    if ((this.counts[index] ?? 0) >= matchesPerRuleMax) return;
    if (direction === 1 && (rule === "override" || rule === "overrideHint") && this.isNegated(from)) return;
    let k = from;
    for (let s = 1; s < steps.length; s++) {
      const step = steps[s];
      if (!step) return;
      k = this.next(k, step, direction);
      if (k < 0) return;
    }
    this.add(rule, index, from, k);
  }

  private hasChance(chances: Uint8Array, number: number, sets: readonly ClassSet[]): boolean {
    if (chances[number] === 0) {
      const { low, high, top } = this.lexiconWords.all;
      let chance = CHANCE;
      for (const set of sets) if (((low & set.low) | (high & set.high) | (top & set.top)) === 0) chance = NO_CHANCE;
      chances[number] = chance;
    }
    return chances[number] === CHANCE;
  }

  bag({ rule, index, sets, window, mayBeNegated, isForeign }: Bag, k: number): void {
    if (isForeign && !this.isIn(k, foreign)) return;
    if ((this.counts[index] ?? 0) >= matchesPerRuleMax) return;
    // "Do not forget the rules": the position of the negation depends on the language.
    if (!mayBeNegated && (this.isNegated(k) || this.isNegatedAfter(k))) return;
    const { count, place, sentence } = this.lexiconWords;
    const [position, within] = [place[k] ?? 0, sentence[k] ?? 0];
    let [first, last] = [k, k];
    let coveredSets = this.setsOf(k, sets, 1);
    const all = (1 << sets.length) - 1;
    for (let candidate = k - 1; candidate >= 0 && coveredSets !== all && sentence[candidate] === within; candidate--) {
      if (position - (place[candidate] ?? 0) > window) break;
      const updatedSets = this.setsOf(candidate, sets, coveredSets);
      if (updatedSets !== coveredSets) first = candidate;
      coveredSets = updatedSets;
    }
    for (
      let candidate = k + 1;
      candidate < count && coveredSets !== all && sentence[candidate] === within;
      candidate++
    ) {
      if ((place[candidate] ?? 0) - position > window) break;
      const updatedSets = this.setsOf(candidate, sets, coveredSets);
      if (updatedSets !== coveredSets) last = candidate;
      coveredSets = updatedSets;
    }
    if (coveredSets === all && first !== last) this.add(rule, index, first, last);
  }

  /** `coveredSets`, a bit set, with the other sets added that word k is in. */
  private setsOf(k: number, sets: readonly ClassSet[], coveredSets: number): number {
    this.steps++;
    const { low, high, top } = this.lexiconWords;
    const [inLow, inHigh, inTop] = [low[k] ?? 0, high[k] ?? 0, top[k] ?? 0];
    let updatedSets = coveredSets;
    for (let s = 1; s < sets.length; s++) {
      const set = sets[s];
      if (set && ((inLow & set.low) | (inHigh & set.high) | (inTop & set.top)) !== 0) updatedSets |= 1 << s;
    }
    return updatedSets;
  }

  /** The nearest known word in the class of the step, after k (or before it for direction -1), or -1. */
  private next(k: number, step: Step, direction: 1 | -1): number {
    const { count, place, sentence, low, high, top } = this.lexiconWords;
    const position = place[k] ?? 0;
    const within = sentence[k];
    for (let candidate = k + direction; candidate >= 0 && candidate < count; candidate += direction) {
      this.steps++;
      const gap = ((place[candidate] ?? 0) - position) * direction;
      if (gap > step.gap + 1 || sentence[candidate] !== within) return -1;
      const [inLow, inHigh, inTop] = [low[candidate] ?? 0, high[candidate] ?? 0, top[candidate] ?? 0];
      if (((inLow & step.low) | (inHigh & step.high) | (inTop & step.top)) !== 0) return candidate;
    }
    return -1;
  }

  private isIn(k: number, set: ClassSet): boolean {
    return isWordIn(this.lexiconWords.word[k] ?? 0, set);
  }

  private isNegated(k: number): boolean {
    const { place } = this.lexiconWords;
    return (
      k > 0 && (place[k] ?? 0) - (place[k - 1] ?? 0) === 1 && this.isIn(k - 1, negation) && !this.isIn(k, negation)
    );
  }

  private isNegatedAfter(k: number): boolean {
    const { count, place } = this.lexiconWords;
    const isNext = k + 1 < count && (place[k + 1] ?? 0) - (place[k] ?? 0) === 1;
    return isNext && this.isIn(k + 1, negation) && !this.isIn(k, negation);
  }

  private add(rule: PromptRule, index: number, a: number, b: number): void {
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    const [x = 0, y = 0] = [this.lexiconWords.place[a], this.lexiconWords.place[b]];
    this.matches.push({ rule, first: Math.min(x, y), last: Math.max(x, y) });
  }
}

const roomFor = (count: number): Known => ({
  count: 0,
  word: new Uint16Array(count),
  place: new Int32Array(count),
  sentence: new Int32Array(count),
  low: new Int32Array(count),
  high: new Int32Array(count),
  top: new Int32Array(count),
  all: { low: 0, high: 0, top: 0 },
});
/** Reused for every text. */
let scratch = roomFor(1024);

function knownWords({ known: places, knowns, word: wordIds, sentence }: Words): Known {
  if (scratch.word.length < knowns) scratch = roomFor(knowns);
  const lexiconWords = scratch;
  const { word: ids, place, sentence: sentences, low, high, top } = lexiconWords;
  const [inLow, inHigh, inTop] = [classLow, classHigh, classTop];
  let [allLow, allHigh, allTop] = [0, 0, 0];
  for (let k = 0; k < knowns; k++) {
    const i = places[k] ?? 0;
    const id = wordIds[i] ?? 0;
    ids[k] = id;
    place[k] = i;
    sentences[k] = sentence[i] ?? 0;
    allLow |= low[k] = inLow[id] ?? 0;
    allHigh |= high[k] = inHigh[id] ?? 0;
    allTop |= top[k] = inTop[id] ?? 0;
  }
  lexiconWords.count = knowns;
  lexiconWords.all = { low: allLow, high: allHigh, top: allTop };
  return lexiconWords;
}

function phraseOf(rule: PromptRule, pattern: string, number: number): Phrase {
  return { rule, index: ruleNames.indexOf(rule), number, steps: stepsOf(pattern) };
}

function stepsOf(pattern: string): Step[] {
  const parts = pattern.split(" ");
  return parts.flatMap((part, index) =>
    index % 2 === 1 ? [] : [{ ...classSet([part]), gap: index === 0 ? 0 : Number(parts[index - 1]) }],
  );
}

function bagOf(rule: PromptRule, pattern: string, number: number): Bag {
  const [inside = "", window = ""] = pattern.slice(1).split("} ");
  return {
    rule,
    index: ruleNames.indexOf(rule),
    number,
    sets: inside
      .replace("~", "")
      .split(" ")
      .map((name) => classSet([name])),
    isForeign: inside.includes("~"),
    window: Number(window),
    mayBeNegated: rule !== "override" || inside.includes("not"),
  };
}

function startingWith<T>(patterns: readonly T[], firstOf: (pattern: T) => ClassSet | undefined): T[][] {
  return Array.from({ length: wordCount }, (_, wordId) =>
    patterns.filter((pattern) => {
      const first = firstOf(pattern);
      return first !== undefined && isWordIn(wordId, first);
    }),
  );
}
