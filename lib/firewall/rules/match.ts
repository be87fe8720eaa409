import { type ClassSet, classHigh, classLow, classSet, wordCount } from "./lexicon";
import { phrases } from "./phrases";
import type { PromptRule } from "./prompt-rules";
import type { Words } from "./words";

/** A phrase found: words `first` to `last`. */
export type Match = { rule: PromptRule; first: number; last: number };

type Step = ClassSet & { gap: number };
type Phrase = { rule: PromptRule; index: number; steps: Step[] };
type Bag = { rule: PromptRule; index: number; sets: ClassSet[]; window: number };

const secretForms = ["secret", "keykind 0 key"];

const ruleNames = phrases.map(([rule]) => rule);
const sequences: Phrase[] = [];
const bags: Bag[] = [];
for (const [rule, patterns] of phrases) {
  for (const pattern of patterns) {
    if (pattern.startsWith("{")) bags.push(bagOf(rule, pattern));
    else
      for (const form of secretForms)
        if (form === "secret" || pattern.includes("@secret"))
          sequences.push({ rule, index: ruleNames.indexOf(rule), steps: stepsOf(pattern.replace("@secret", form)) });
  }
}

/** Phrases that may begin with word w. */
const beginning: Phrase[][] = startingWith(sequences, (phrase) => phrase.steps[0]);
const bagBeginning: Bag[][] = startingWith(bags, (bag) => bag.sets[0]);
/** What the negations are that turn "ignore" into its opposite. */
const negation = classSet(["not"]);
/** The same, with the words in reverse order: only near ones count, or ordinary text would match. */
const backwards = ["ignore 1 prior 0 instr", "ignore 1 instr 0 after"].map(
  (pattern): Phrase => ({ rule: "override", index: ruleNames.indexOf("override"), steps: stepsOf(pattern) }),
);
const backwardsBeginning = startingWith(backwards, (phrase) => phrase.steps[0]);

/** More of one rule says nothing new. */
const matchesPerRuleMax = 3;
/** Ordinary text of the greatest length takes a tenth of this. What is cut short is reported as crowded. */
const stepsMax = 60_000;

/** Every phrase in the words, each rule a few times at most. Work per word is bounded by the table above. */
export function match(words: Words): { matches: Match[]; isCrowded: boolean } {
  const at = knownWords(words);
  const found = new Finder(words, at);
  for (let k = 0; k < at.length && found.steps < stepsMax; k++) {
    const word = words.word[at[k] ?? 0] ?? 0;
    for (const phrase of beginning[word] ?? []) found.sequence(phrase, k, 1);
    for (const bag of bagBeginning[word] ?? []) found.bag(bag, k);
    for (const phrase of backwardsBeginning[word] ?? []) found.sequence(phrase, k, -1);
  }
  return { matches: found.matches, isCrowded: found.steps >= stepsMax };
}

class Finder {
  readonly matches: Match[] = [];
  private readonly counts = new Uint8Array(ruleNames.length);
  steps = 0;

  constructor(
    private readonly words: Words,
    private readonly at: Int32Array,
  ) {}

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

  bag({ rule, index, sets, window }: Bag, k: number): void {
    if ((this.counts[index] ?? 0) >= matchesPerRuleMax) return;
    const here = this.at[k] ?? 0;
    let missing = sets.length - 1;
    let [first, last] = [k, k];
    let seen = 1;
    const sentence = this.words.sentence[here];
    const look = (other: number) => {
      this.steps++;
      if (this.words.sentence[this.at[other] ?? 0] !== sentence) return;
      for (let s = 1; s < sets.length; s++) {
        const set = sets[s];
        if (!set || (seen & (1 << s)) !== 0 || !this.isIn(other, set)) continue;
        seen |= 1 << s;
        missing--;
        first = Math.min(first, other);
        last = Math.max(last, other);
      }
    };
    look(k);
    for (let other = k - 1; other >= 0 && here - (this.at[other] ?? 0) <= window && missing > 0; other--) look(other);
    for (let other = k + 1; other < this.at.length && (this.at[other] ?? 0) - here <= window && missing > 0; other++)
      look(other);
    if (missing === 0 && first !== last) this.add(rule, index, first, last);
  }

  /** The nearest known word after k (before it, if the direction is -1) in the step's class, or -1. */
  private next(k: number, step: Step, direction: 1 | -1): number {
    const here = this.at[k] ?? 0;
    const sentence = this.words.sentence[here];
    for (let other = k + direction; other >= 0 && other < this.at.length; other += direction) {
      this.steps++;
      const place = this.at[other] ?? 0;
      if (Math.abs(place - here) > step.gap + 1 || this.words.sentence[place] !== sentence) return -1;
      if (this.isIn(other, step)) return other;
    }
    return -1;
  }

  private isIn(k: number, set: ClassSet): boolean {
    const word = this.words.word[this.at[k] ?? 0] ?? 0;
    return (((classLow[word] ?? 0) & set.low) | ((classHigh[word] ?? 0) & set.high)) !== 0;
  }

  private isNegated(k: number): boolean {
    return (
      k > 0 && (this.at[k] ?? 0) - (this.at[k - 1] ?? 0) === 1 && this.isIn(k - 1, negation) && !this.isIn(k, negation)
    );
  }

  private add(rule: PromptRule, index: number, a: number, b: number): void {
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    const [x = 0, y = 0] = [this.at[a], this.at[b]];
    this.matches.push({ rule, first: Math.min(x, y), last: Math.max(x, y) });
  }
}

function knownWords({ count, word }: Words): Int32Array {
  const at = new Int32Array(count);
  let known = 0;
  for (let i = 0; i < count; i++) if (word[i] !== 0) at[known++] = i;
  return at.subarray(0, known);
}

function stepsOf(pattern: string): Step[] {
  const parts = pattern.split(" ");
  return parts.flatMap((part, index) =>
    index % 2 === 1 ? [] : [{ ...classSet([part]), gap: index === 0 ? 0 : Number(parts[index - 1]) }],
  );
}

function bagOf(rule: PromptRule, pattern: string): Bag {
  const [inside = "", window = ""] = pattern.slice(1).split("} ");
  return {
    rule,
    index: ruleNames.indexOf(rule),
    sets: inside.split(" ").map((name) => classSet([name])),
    window: Number(window),
  };
}

function startingWith<T>(patterns: readonly T[], firstOf: (pattern: T) => ClassSet | undefined): T[][] {
  return Array.from({ length: wordCount }, (_, word) =>
    patterns.filter((pattern) => {
      const first = firstOf(pattern);
      return first !== undefined && (((classLow[word] ?? 0) & first.low) | ((classHigh[word] ?? 0) & first.high)) !== 0;
    }),
  );
}
