import { wordsOfClasses } from "../text/lexicon.ts";
import type { Words } from "../text/words.ts";
import type { PromptRule } from "./rules.ts";

/**
 * What explains a suspect passage: it has a word of each class (see `lexicon.ts`) of one of the lists. `a|b` is a word of
 * either class. A passage is explained only after the model has flagged it, so the lists may be loose.
 */
export const explanations: readonly (readonly [PromptRule, readonly string[]])[] = [
  ["exfiltration", ["exfil|ask|reveal|show|what secret", "exfil|ask|reveal|show|what keykind key"]],
  ["unconfirmed", ["pay money", "change limit", "pay url"]],
  [
    "override",
    [
      "override instr",
      "override prior",
      "override after",
      "override all",
      "fresh instr",
      "not follow",
      "instead output",
    ],
  ],
  [
    "hiddenContext",
    ["reveal|show|what|speech prompt", "reveal|show|speech hidden instr", "reveal|show|speech all after"],
  ],
  ["bypass", ["bypass safety", "without safety", "free", "modeword mode", "not inform person", "not refuse"]],
  ["role", ["iam authority", "authority override", "pretend you", "pretend modeword", "you are now"]],
  ["tool", ["call tool", "must call tool"]],
  ["external", ["exfil|ask|visit url"]],
];

const table = explanations.map(([rule, lists]) => ({
  rule,
  lists: lists.map((list) => list.split(" ").map((names) => wordsOfClasses(names.split("|")))),
}));
/** In words, on both sides of the passage. */
const beside = 4;

/** The rules that explain the words `first` to `last`. */
export function explain(words: Words, first: number, last: number): PromptRule[] {
  const ids: number[] = [];
  for (let k = 0; k < words.knowns; k++) {
    const index = words.known[k] ?? 0;
    if (index >= first - beside && index <= last + beside) ids.push(words.word[index] ?? 0);
  }
  const has = (words: ReadonlySet<number>): boolean => ids.some((id) => words.has(id));
  return table.filter(({ lists }) => lists.some((sets) => sets.every(has))).map(({ rule }) => rule);
}
