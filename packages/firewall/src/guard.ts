import { scanPrompt } from "./prompt/scan.ts";
import type { Finding, Span, Verdict } from "./verdict.ts";

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
/** Texts that follow each other are scanned together in shorter parts: a long one would hide an order that few of them make up. */
const [joinedLength, joinedOverlap] = [600, 300];
/** Deeper values are withheld as a whole. */
const depthMax = 40;

/** The text, or what stands in its place. */
export function guardText(text: string, source: string, options: GuardOptions = {}): string {
  return guardAlone(text, source, options).text;
}

/**
 * A JSON value with every text in it guarded, each by itself and all of them in their order as one text. Nothing is copied
 * unless a text is withheld.
 */
export function guardJson(value: unknown, source: string, options: GuardOptions = {}): unknown {
  return guardWhole(value, mapJson, source, options);
}

/** What is done to a text. A name of a member is no part of the text around it. `from` is the source, if it has one of its own. */
export type Change = (text: string, kind: "text" | "name", from?: string) => string;

/**
 * A value with its texts guarded, each by itself and all of them as one text: a model reads them one after the other, and
 * an order can be cut between two. `map` changes the texts of a value, in the order in which a model reads them.
 */
export function guardWhole<T>(
  value: T,
  map: (value: T, change: Change) => T,
  source: string,
  options: GuardOptions = {},
): T {
  const guarded: Guarded[] = [];
  const changed = map(value, (text, kind, from = source) => {
    const alone = guardAlone(text, from, options);
    guarded.push({ ...alone, kind });
    return alone.text;
  });
  const cut = cutIn(guarded, source, options);
  if (cut.size === 0) return changed;
  let index = 0;
  return map(value, () => {
    const current = index++;
    return cut.has(current) ? WITHHELD : (guarded[current]?.text ?? WITHHELD);
  });
}

/** Every text of a JSON value in its order; a name comes before its member. */
export function mapJson(value: unknown, change: Change, depth = 0): unknown {
  if (typeof value === "string") return change(value, "text");
  if (typeof value !== "object" || value === null) return value;
  if (depth >= depthMax) return WITHHELD;
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const changed = entries.map(([name, member]): [string, unknown] => [
    isList ? name : change(name, "name"),
    mapJson(member, change, depth + 1),
  ]);
  if (changed.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index]?.[1]))
    return value;
  return isList ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}

/** `gravity`: of the gravest verdict on any part of the text. */
type Alone = { text: string; gravity: number };
type Guarded = Alone & { kind: "text" | "name" };

const verdicts: readonly Verdict[] = ["pass", "review", "block"];
const gravityOf = (verdict: Verdict): number => verdicts.indexOf(verdict);

function guardAlone(text: string, source: string, options: GuardOptions): Alone {
  let gravity = 0;
  for (const { verdict, findings } of scansOf(text)) {
    if (verdict === "pass") continue;
    gravity = Math.max(gravity, gravityOf(verdict));
    const isWithheld = isRefused(verdict, options);
    options.onFinding?.({ source, verdict, findings, isWithheld });
    if (isWithheld) return { text: WITHHELD, gravity };
  }
  return { text, gravity };
}

const isRefused = (verdict: Verdict, { withholdFrom }: GuardOptions): boolean =>
  verdict === "block" || (verdict === "review" && withholdFrom === "review");

/** Between two texts: as lines, and as parts of one word. */
const separators = ["\n", ""];

/** The numbers of the texts that together say what none of them says alone. */
function cutIn(guarded: readonly Guarded[], source: string, options: GuardOptions): ReadonlySet<number> {
  const rest = guarded.flatMap(({ text, gravity, kind }, index) =>
    kind === "name" || text === WITHHELD || text === "" ? [] : [{ text, gravity, index }],
  );
  if (rest.length < 2) return new Set();
  const gravest = Math.max(...rest.map(({ gravity }) => gravity));
  for (const separator of separators) {
    let end = 0;
    const pieces = rest.map(({ text, index }) => {
      const start = end;
      end += text.length + separator.length;
      return { index, start, end: start + text.length };
    });
    const cut = new Set<number>();
    for (const { start, verdict, findings } of scansOf(
      rest.map(({ text }) => text).join(separator),
      joinedLength,
      joinedOverlap,
    )) {
      if (gravityOf(verdict) <= gravest) continue;
      const isWithheld = isRefused(verdict, options);
      options.onFinding?.({ source, verdict, findings, isWithheld });
      if (!isWithheld) continue;
      const spans = findings.flatMap(({ span }) =>
        span ? [{ start: span.start + start, end: span.end + start }] : [],
      );
      const isIn = (piece: Span) => spans.some((span) => span.start < piece.end && piece.start < span.end);
      for (const piece of pieces) if (spans.length === 0 || isIn(piece)) cut.add(piece.index);
    }
    if (cut.size > 0) return cut;
  }
  return new Set();
}

function* scansOf(text: string, length = partLength, shared = overlap) {
  for (let start = 0; start === 0 || start + shared < text.length; start += length - shared)
    yield { start, ...scanPrompt({ text: text.slice(start, start + length).toWellFormed() }) };
}
