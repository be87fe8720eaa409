import { plainHash, WordTable } from "../text/hashes.ts";
import { bitsOf } from "../text/signs.ts";
import { isLetterOrDigit } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { PromptRule } from "./rules.ts";

/** A match of a rule: units `start` to `end` of the text. */
export type Form = { rule: PromptRule; start: number; end: number };

/** Where a pattern can match, so that a text need not be searched from end to end. */
export type Cue = {
  /** The first word of every match is one of these. `_` separates words too. */
  words: string;
  /** How many units before that word a match can start. */
  before?: readonly number[];
  /** Signs that a text must have between its words for a match. */
  needs?: string;
  /** With one of these in the text, a match can start elsewhere, and the whole text is searched. */
  unless?: readonly (string | RegExp)[];
  /** Signs that every entry of `unless` has. */
  unlessNeeds?: string;
};

type Found = (Form & { index: number })[];

type Reader = {
  index: number;
  rule: PromptRule;
  search: RegExp;
  at: RegExp;
  before: readonly number[];
  needs: number;
  unless: readonly (string | RegExp)[];
  unlessNeeds: number;
  /**
   * Reset for each text: the number of matches, the end of the last one, the number of attempts, and whether to go on.
   */
  found: number;
  end: number;
  tries: number;
  isSilent: boolean | undefined;
};

/** Up to this many places are tried before the text is searched for what the rule requires. */
const triesMax = 4;

/** Matches regular expressions only at words that they can start with. */
export class Forms {
  private readonly readers: readonly Reader[];
  /** The first words of the patterns. */
  readonly words: readonly string[];
  private readonly numbers: WordTable;
  /** By the number of a word: the patterns that it can start. */
  private readonly cued: readonly (readonly Reader[])[];
  /** By rule: whether the text of the current search cannot match it. */
  private readonly silent = new Map<PromptRule, boolean>();

  /**
   * `most` bounds the matches per pattern. `isSilent` says that a text cannot match a rule; it is called when there are
   * many places to try.
   */
  constructor(
    patterns: readonly (readonly [PromptRule, RegExp, ...unknown[]])[],
    cues: readonly Cue[],
    private readonly most: number,
    private readonly isSilent: (rule: PromptRule, text: string, words: Words) => boolean = () => false,
  ) {
    this.readers = patterns.map(([rule, search], index) => ({
      index,
      rule,
      search,
      at: new RegExp(search.source, search.flags.replace("g", "y")),
      before: [...(cues[index]?.before ?? [0])].sort((a, b) => b - a),
      needs: bitsOf(cues[index]?.needs ?? ""),
      unless: cues[index]?.unless ?? [],
      unlessNeeds: bitsOf(cues[index]?.unlessNeeds ?? ""),
      found: 0,
      end: 0,
      isSilent: undefined,
      tries: 0,
    }));
    const byWord = new Map<string, Reader[]>();
    for (const reader of this.readers)
      for (const word of (cues[reader.index]?.words ?? "").split(" "))
        byWord.set(word, [...(byWord.get(word) ?? []), reader]);
    this.cued = [[], ...byWord.values()];
    this.words = [...byWord.keys()];
    this.numbers = new WordTable(this.words.map((word, index) => [word, index + 1] as const));
  }

  /** All matches, ordered by pattern. */
  in(text: string, words: Words): Form[] {
    const matches: Found = [];
    this.silent.clear();
    for (const reader of this.readers) {
      reader.found = 0;
      reader.end = 0;
      reader.isSilent = undefined;
      reader.tries = 0;
      if (reader.unless.length === 0 || (words.signs & reader.unlessNeeds) !== reader.unlessNeeds) continue;
      if (reader.unless.some((sign) => (typeof sign === "string" ? text.includes(sign) : sign.test(text))))
        this.search(reader, text, matches);
    }
    const { count, hash, start, end, cue, cues, parted, parts } = words;
    for (let c = 0, p = 0; c < cues || p < parts; ) {
      const [cued, broken] = [c < cues ? (cue[c] ?? count) : count, p < parts ? (parted[p] ?? count) : count];
      const i = Math.min(cued, broken);
      if (cued === i) {
        const number = this.numbers.get(hash[i] ?? 0);
        if (number !== 0) this.look(number, start[i] ?? 0, text, words, matches);
        c++;
      }
      if (broken === i) {
        this.lookInside(start[i] ?? 0, end[i] ?? 0, text, words, matches);
        p++;
      }
    }
    return matches.length > 1 ? matches.sort((a, b) => a.index - b.index) : matches;
  }

  /** Several patterns of a rule ask for the same. */
  private isSilentIn(rule: PromptRule, text: string, words: Words): boolean {
    const cachedResult = this.silent.get(rule);
    if (cachedResult !== undefined) return cachedResult;
    const isSilent = this.isSilent(rule, text, words);
    this.silent.set(rule, isSilent);
    return isSilent;
  }

  private search(reader: Reader, text: string, matches: Found): void {
    const { index, rule, search } = reader;
    for (const { index: start, 0: matchedText } of text.matchAll(search)) {
      matches.push({ index, rule, start, end: start + matchedText.length });
      if (++reader.found >= this.most) break;
    }
    reader.found = this.most;
  }

  /** Tries the patterns that can start with the word at offset `place`. */
  private look(number: number, place: number, text: string, words: Words, matches: Found): void {
    const { signs } = words;
    for (const reader of this.cued[number] ?? []) {
      if (reader.found >= this.most || (signs & reader.needs) !== reader.needs) continue;
      if (reader.isSilent === undefined && ++reader.tries > triesMax)
        reader.isSilent = this.isSilentIn(reader.rule, text, words);
      if (reader.isSilent === true) continue;
      for (const offset of reader.before) {
        const start = place - offset;
        if (start < reader.end) continue;
        reader.at.lastIndex = start;
        if (!reader.at.test(text)) continue;
        reader.end = reader.at.lastIndex;
        reader.found++;
        matches.push({ index: reader.index, rule: reader.rule, start, end: reader.end });
        break;
      }
    }
  }

  /** Patterns see word boundaries at apostrophes and at letters beyond ASCII, inside one of our words. */
  private lookInside(start: number, end: number, text: string, words: Words, matches: Found): void {
    for (let from = start; from < end; from++) {
      let to = from;
      while (to < end && isLetterOrDigit(text.charCodeAt(to))) to++;
      if (to === from) continue;
      const number = this.numbers.get(plainHash(text, from, to));
      if (number !== 0) this.look(number, from, text, words, matches);
      from = to;
    }
  }
}
