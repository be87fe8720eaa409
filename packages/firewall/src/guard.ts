import { scanPrompt } from "./prompt/scan.ts";
import type { Finding, Verdict } from "./verdict.ts";

/** What a guard found in a text that was about to reach a model. */
export type GuardReport = {
  /** Where the text is from, such as the name of a tool. */
  source: string;
  verdict: Verdict;
  findings: readonly Finding[];
  isWithheld: boolean;
};

export type GuardOptions = {
  /** From which verdict a text is withheld. Default: `block`. */
  withholdFrom?: "review" | "block";
  /** Called for every text that is not passed. It may throw, which ends the call. */
  onFinding?: (report: GuardReport) => void;
};

/** Stands in the place of a text that was withheld. */
export const WITHHELD = "[Withheld by the firewall: this content tried to instruct its reader.]";

/** Texts are scanned in parts of this many UTF-16 units, which overlap so that no attack is cut in two. */
const [partLength, overlap] = [24_000, 2_000];
/** Deeper values are withheld as a whole. */
const depthMax = 40;

/** The text, or what stands in its place. */
export function guardText(text: string, source: string, options: GuardOptions = {}): string {
  for (let start = 0; start === 0 || start + overlap < text.length; start += partLength - overlap) {
    const { verdict, findings } = scanPrompt({ text: text.slice(start, start + partLength).toWellFormed() });
    if (verdict === "pass") continue;
    const isWithheld = verdict === "block" || options.withholdFrom === "review";
    options.onFinding?.({ source, verdict, findings, isWithheld });
    if (isWithheld) return WITHHELD;
  }
  return text;
}

/** A JSON value with every text in it guarded. Nothing is copied unless a text is withheld. */
export function guardJson(value: unknown, source: string, options: GuardOptions = {}, depth = 0): unknown {
  if (typeof value === "string") return guardText(value, source, options);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= depthMax) return WITHHELD;
  const entries = Object.entries(value);
  const guarded = entries.map(([name, member]) => [
    guardText(name, source, options),
    guardJson(member, source, options, depth + 1),
  ]);
  if (guarded.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index]?.[1]))
    return value;
  return Array.isArray(value) ? guarded.map(([, member]) => member) : Object.fromEntries(guarded);
}
