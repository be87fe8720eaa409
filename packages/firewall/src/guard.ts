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

/**
 * What is done to a text. A name of a member is no part of the text around it. `from` is the source, if it has one of its own; `member`
 * the name of the member that a text stands in.
 */
export type Change = (text: string, kind: "text" | "name", from?: string, member?: string) => string;

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
  const changed = map(value, (text, kind, from = source, member) => {
    const alone = guardAlone(text, from, options);
    guarded.push({ ...alone, group: kind === "name" ? NAMES : (member ?? "") });
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
export function mapJson(value: unknown, change: Change, depth = 0, member?: string): unknown {
  if (typeof value === "string") return change(value, "text", undefined, member);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= depthMax) return WITHHELD;
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const changed = entries.map(([name, inner]): [string, unknown] => [
    isList ? name : change(name, "name"),
    mapJson(inner, change, depth + 1, isList ? member : name),
  ]);
  if (changed.every(([name, inner], index) => name === entries[index]?.[0] && inner === entries[index]?.[1]))
    return value;
  return isList ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
}

/** `gravity`: of the gravest verdict on any part of the text. */
type Alone = { text: string; gravity: number };
/** `group`: the name of the text's member, or NAMES. */
type Guarded = Alone & { group: string | typeof NAMES };

const NAMES = Symbol("names of members");

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

type Numbered = Alone & { index: number };

/**
 * The numbers of the texts that together say what none of them says alone: of all texts in their order, of those in members of one name, with
 * constant ones between them, and of the names.
 */
function cutIn(guarded: readonly Guarded[], source: string, options: GuardOptions): ReadonlySet<number> {
  const all: Numbered[] = [];
  const groups = new Map<Guarded["group"], Numbered[]>();
  for (const [index, { text, gravity, group }] of guarded.entries()) {
    if (text === WITHHELD || text === "") continue;
    const numbered = { text, gravity, index };
    if (group !== NAMES) all.push(numbered);
    const members = groups.get(group);
    if (members) members.push(numbered);
    else groups.set(group, [numbered]);
  }
  const cut = cutAmong(all, source, options);
  for (const [group, members] of groups) {
    const isAll = group !== NAMES && members.length === all.length;
    if (isAll) continue;
    const remaining = members.filter(({ index }) => !cut.has(index));
    for (const index of cutAmong(remaining, source, options)) cut.add(index);
  }
  return cut;
}

function cutAmong(texts: readonly Numbered[], source: string, options: GuardOptions): Set<number> {
  const cut = new Set<number>();
  if (texts.length < 2) return cut;
  const gravest = texts.reduce((most, { gravity }) => Math.max(most, gravity), 0);
  for (const separator of separators) {
    let end = 0;
    const pieces = texts.map(({ text, index }) => {
      const start = end;
      end += text.length + separator.length;
      return { index, start, end: start + text.length };
    });
    const joined = texts.map(({ text }) => text).join(separator);
    // Parts come in their order, so pieces before a part are passed once.
    let next = 0;
    for (const { start, verdict, findings } of scansOf(joined, joinedLength, joinedOverlap)) {
      if (gravityOf(verdict) <= gravest) continue;
      const isWithheld = isRefused(verdict, options);
      options.onFinding?.({ source, verdict, findings, isWithheld });
      if (!isWithheld) continue;
      const spans = findings.flatMap(({ span }) =>
        span ? [{ start: span.start + start, end: span.end + start }] : [],
      );
      const isIn = (piece: Span) => spans.some((span) => span.start < piece.end && piece.start < span.end);
      while ((pieces[next]?.end ?? start) < start) next++;
      for (const piece of pieces.slice(next, next + joinedLength + separator.length)) {
        if (piece.start >= start + joinedLength) break;
        if (spans.length === 0 || isIn(piece)) cut.add(piece.index);
      }
    }
    if (cut.size > 0) return cut;
  }
  return cut;
}

function* scansOf(text: string, length = partLength, shared = overlap) {
  for (let start = 0; start === 0 || start + shared < text.length; start += length - shared)
    yield { start, ...scanPrompt({ text: text.slice(start, start + length).toWellFormed() }) };
}
