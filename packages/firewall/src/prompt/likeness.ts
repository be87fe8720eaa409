import { spanOf, type View } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { Span } from "../verdict.ts";
import { heaviestParts, mostSuspect, thresholds, windowWords } from "./likelihood.ts";
import { topicsOf } from "./mentions.ts";
import { type PromptRule, promptRules } from "./rules.ts";

/** A part of the text that made the statistical model suspicious. `share` is its part of all weight, in per cent. */
export type Signal = Span & { share: number };

/** `isCited`: quoted or mentioned, and not said to the reader. */
export type Found = { rule: PromptRule; span: Span; isCited: boolean; signals?: Signal[] };
/** Whether an offset of the original text is in a citation. */
export type Cites = (index: number) => boolean;

export const isGrave = (rule: PromptRule): boolean => promptRules[rule].severity !== "low";
export const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** The finding of the model, if any. It is cited when it is in a citation or overlaps only cited findings. */
export function likeness(
  view: View,
  words: Words,
  weights: Int8Array,
  length: number,
  cites: Cites,
  detections: readonly Found[],
): Found[] {
  const stretch = mostSuspect(words, weights);
  const { score, first, last } = stretch;
  const topicMargin = thresholds.topic * Math.min(thresholds.topicsMax, topicsOf(words).length);
  const from = likelihoodFrom(length) + topicMargin - thresholds.hint * hintsIn(detections);
  const highFrom = thresholds.likelihoodHigh + topicMargin;
  if (score < from) return [];
  const parts = heaviestParts(stretch);
  const totalWeight = Math.max(
    1,
    parts.reduce((sum, { weight }) => sum + weight, 0),
  );
  const signals = parts.map((part): Signal => {
    const { start, end } = spanOf(view, words.start[part.first] ?? 0, words.end[part.last] ?? 0);
    return { start, end, share: Math.round((100 * part.weight) / totalWeight) };
  });
  const span = spanOf(view, words.start[first] ?? 0, words.end[last] ?? 0);
  const rule = score >= highFrom ? "likelihoodHigh" : "likelihood";
  const within = detections.filter((one) => isGrave(one.rule) && overlap(one.span, span));
  if (within.length === 0 || !within.every((one) => one.isCited)) return [{ rule, span, isCited: false, signals }];
  const isQuoted = (wordIndex: number): boolean =>
    cites(spanOf(view, words.start[wordIndex] ?? 0, words.end[wordIndex] ?? 0).start);
  const isSpokenOf = within.some((one) => !cites(one.span.start));
  const unquoted = isSpokenOf ? 0 : mostSuspect(words, weights, isQuoted).score;
  if (unquoted >= highFrom) return [{ rule, span, isCited: false, signals }];
  return [
    unquoted >= from ? { rule: "likelihood", span, isCited: false, signals } : { rule, span, isCited: true, signals },
  ];
}

/** How many codes have light findings only; none once there is a grave one, which needs no support. */
function hintsIn(detections: readonly Found[]): number {
  if (detections.some(({ rule }) => isGrave(rule))) return 0;
  return Math.min(thresholds.hintsMax, new Set(detections.map(({ rule }) => promptRules[rule].code)).size);
}

function likelihoodFrom(wordCount: number): number {
  const extraWords = Math.min(3 * windowWords, Math.max(0, wordCount - windowWords));
  return thresholds.likelihood + Math.floor((thresholds.rise * extraWords) / (3 * windowWords));
}
