import { plainHash, WordTable } from "../text/hashes.ts";
import { bitsOf } from "../text/signs.ts";
import { isLetterOrDigit } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { PromptRule } from "./rules.ts";

/** A rule and where it applies: units `start` to `end` of the text. */
export type Form = { rule: PromptRule; start: number; end: number };

/** What tells where a pattern may match, so that a text need not be searched from end to end. */
export type Cue = {
  /** The first letters and digits of every match are one of these words and no more; `_` parts words as well. */
  words: string;
  /** How many units before that word a match may begin. */
  before?: readonly number[];
  /** A text without all of these signs between its words has no match. */
  needs?: string;
  /** In a text with one of these a match may begin otherwise: it is searched as a whole. */
  unless?: readonly (string | RegExp)[];
  /** Signs that each of those holds. */
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
  /** Reset for each text: what was found, up to where, how many places were tried, and whether more of them can tell. */
  found: number;
  end: number;
  tries: number;
  isSilent: boolean | undefined;
};

/** So many places are looked at sooner than a text is searched for what the rule cannot do without. */
const triesMax = 4;

/** Patterns known by their whole form, each looked for only where a word stands that it begins with. */
export class Forms {
  private readonly readers: readonly Reader[];
  /** What the patterns begin with. */
  readonly words: readonly string[];
  private readonly numbers: WordTable;
  /** Which patterns a word may begin, by its number. */
  private readonly cued: readonly (readonly Reader[])[];

  /** Each pattern is found `most` times. Whether a text `isSilent` on a rule is asked when there are many places to look at. */
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

  /** What is found, pattern after pattern. */
  in(text: string, words: Words): Form[] {
    const found: Found = [];
    for (const reader of this.readers) {
      reader.found = 0;
      reader.end = 0;
      reader.isSilent = undefined;
      reader.tries = 0;
      if (reader.unless.length === 0 || (words.signs & reader.unlessNeeds) !== reader.unlessNeeds) continue;
      if (reader.unless.some((sign) => (typeof sign === "string" ? text.includes(sign) : sign.test(text))))
        this.search(reader, text, found);
    }
    const { count, hash, start, end, cue, cues, parted, parts } = words;
    for (let c = 0, p = 0; c < cues || p < parts; ) {
      const [cued, broken] = [c < cues ? (cue[c] ?? count) : count, p < parts ? (parted[p] ?? count) : count];
      const i = Math.min(cued, broken);
      if (cued === i) {
        const number = this.numbers.get(hash[i] ?? 0);
        if (number !== 0) this.look(number, start[i] ?? 0, text, words, found);
        c++;
      }
      if (broken === i) {
        this.lookInside(start[i] ?? 0, end[i] ?? 0, text, words, found);
        p++;
      }
    }
    return found.length > 1 ? found.sort((a, b) => a.index - b.index) : found;
  }

  private search(reader: Reader, text: string, found: Found): void {
    const { index, rule, search } = reader;
    for (const { index: start, 0: said } of text.matchAll(search)) {
      found.push({ index, rule, start, end: start + said.length });
      if (++reader.found >= this.most) break;
    }
    reader.found = this.most;
  }

  /** Tries the patterns that may begin with the word at `place`. */
  private look(number: number, place: number, text: string, words: Words, found: Found): void {
    const { signs } = words;
    for (const reader of this.cued[number] ?? []) {
      if (reader.found >= this.most || (signs & reader.needs) !== reader.needs) continue;
      if (reader.isSilent === undefined && ++reader.tries > triesMax)
        reader.isSilent = this.isSilent(reader.rule, text, words);
      if (reader.isSilent === true) continue;
      for (const before of reader.before) {
        const start = place - before;
        if (start < reader.end) continue;
        reader.at.lastIndex = start;
        if (!reader.at.test(text)) continue;
        reader.end = reader.at.lastIndex;
        reader.found++;
        found.push({ index: reader.index, rule: reader.rule, start, end: reader.end });
        break;
      }
    }
  }

  /** Where an apostrophe or a letter beyond ASCII stands, the patterns see a word begin and end. */
  private lookInside(start: number, end: number, text: string, words: Words, found: Found): void {
    for (let from = start; from < end; from++) {
      let to = from;
      while (to < end && isLetterOrDigit(text.charCodeAt(to))) to++;
      if (to === from) continue;
      const number = this.numbers.get(plainHash(text, from, to));
      if (number !== 0) this.look(number, from, text, words, found);
      from = to;
    }
  }
}
