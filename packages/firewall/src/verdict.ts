import { sha256, stringToBytes } from "viem";

export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

export type Verdict = "pass" | "review" | "block";

/** Where in the text, in UTF-16 units of the original string (what `String.prototype.slice` takes); `end` is exclusive. */
export type Span = { start: number; end: number };

export type Finding = {
  severity: Severity;
  code: string;
  message: string;
  span?: Span;
  /** Path of the input's field, such as `context` or `accepts[0].payTo`. */
  field?: string;
};

/** One thing a scanner may find. Several rules may share a code, for the same matter in a lighter and a graver form. */
export type Rule = {
  code: string;
  severity: Severity;
  /** A fixed sentence: it never quotes the input. */
  message: string;
  /** Share of the score; the severity's own weight where absent. */
  weight?: number;
};

/** A rule that applied, and where. */
export type Hit = { rule: Rule; span?: Span; field?: string };

export type Conclusion = { verdict: Verdict; riskScore: number; findings: Finding[] };

/** One high finding asks for a person; two, or one with a medium, block. */
export const severityWeights = { low: 8, medium: 25, high: 45, critical: 85 } as const satisfies Record<
  Severity,
  number
>;

export const blockFrom = 70;
export const reviewFrom = 25;
export const scoreMax = 100;

/** More says nothing new to a reader, and would let a long input make a long reply. */
export const findingsMax = 50;

/** Each code counts once, with its gravest rule: repeating an attack makes it no other attack. */
export function conclude(hits: readonly Hit[]): Conclusion {
  const byCode = new Map<string, number>();
  for (const { rule } of hits) byCode.set(rule.code, Math.max(byCode.get(rule.code) ?? 0, weightOf(rule)));
  const sum = [...byCode.values()].reduce((total, weight) => total + weight, 0);
  const riskScore = Math.min(scoreMax, Math.round(sum));
  const hasCritical = hits.some(({ rule }) => rule.severity === "critical");
  const ordered = inOrder(hits);
  const findings = ordered.map(toFinding);
  weights.set(
    findings,
    ordered.map(({ rule }) => weightOf(rule)),
  );
  return { verdict: verdictOf(riskScore, hasCritical), riskScore, findings };
}

export function verdictOf(riskScore: number, hasCritical: boolean): Verdict {
  if (hasCritical || riskScore >= blockFrom) return "block";
  return riskScore >= reviewFrom ? "review" : "pass";
}

export function weightOf(rule: Rule): number {
  return rule.weight ?? severityWeights[rule.severity];
}

/**
 * What each finding of a `Conclusion` adds to its score, in the findings' order; their sum, at most 100, is the riskScore.
 * A code counts once: its gravest finding has the share, the others 0. Only of the list that `conclude` returned itself:
 * its copies, as after a journey through JSON, have none.
 */
export function sharesOf(findings: readonly Finding[]): number[] {
  const weighed = weights.get(findings) ?? [];
  const counted = new Map<string, number>();
  for (const [index, { code }] of findings.entries()) {
    const before = counted.get(code);
    if (before === undefined || (weighed[index] ?? 0) > (weighed[before] ?? 0)) counted.set(code, index);
  }
  return findings.map(({ code }, index) => (counted.get(code) === index ? (weighed[index] ?? 0) : 0));
}

/** Beside the findings and not in them: their form is the contract's, and a rule may have been weighed by its context. */
const weights = new WeakMap<readonly Finding[], readonly number[]>();

/** `version` and a digest of the rules and weights themselves, so that no change of either goes unnoticed. */
export function rulesetVersion(version: string, tables: unknown): string {
  return `${version}+${sha256(stringToBytes(canonical([severityWeights, blockFrom, reviewFrom, tables]))).slice(2, 14)}`;
}

/** Gravest first, then in the order found; the first of each code is kept before any second one. */
function inOrder(hits: readonly Hit[]): Hit[] {
  const ordered = unrepeated(hits).sort((a, b) => gradeOf(b) - gradeOf(a));
  if (ordered.length <= findingsMax) return ordered;
  const seen = new Set<string>();
  const isFirst = ordered.map(({ rule }) => !seen.has(rule.code) && seen.add(rule.code) !== undefined);
  const room = Math.max(0, findingsMax - seen.size);
  let spent = 0;
  return ordered.filter((_, index) => isFirst[index] || spent++ < room);
}

/** Two patterns, or a text and what it decodes to, may find the same at the same place. */
function unrepeated(hits: readonly Hit[]): Hit[] {
  if (hits.length < 2) return [...hits];
  const seen = new Set<string>();
  const byPlace = new Map<number, Hit[]>();
  return hits.filter((hit) => {
    if (!hit.span) return !seen.has(saying(hit)) && seen.add(saying(hit)) !== undefined;
    // Hardly two are at one place: what they say is only compared there.
    const place = hit.span.start * 0x200000 + hit.span.end;
    const others = byPlace.get(place);
    if (!others) byPlace.set(place, [hit]);
    else if (others.some((other) => saying(other) === saying(hit))) return false;
    else others.push(hit);
    return true;
  });
}

const saying = ({ rule, span, field }: Hit): string =>
  `${rule.severity} ${weightOf(rule)} ${span?.start} ${span?.end} ${field} ${rule.code} ${rule.message}`;

const gradeOf = ({ rule }: Hit): number => severities.indexOf(rule.severity);

function toFinding({ rule, span, field }: Hit): Finding {
  const { severity, code, message } = rule;
  const finding: Finding = { severity, code, message };
  if (span) finding.span = span;
  if (field !== undefined) finding.field = field;
  return finding;
}

/** JSON with sorted keys, and with what plain JSON leaves empty. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof RegExp) return `${inner}`;
    if (inner instanceof Set) return [...inner];
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
