import { sha256, stringToBytes } from "viem";

export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];
export const isSeverity = (name: string): name is Severity => severities.some((severity) => severity === name);

export type Verdict = "pass" | "review" | "block";

/** A place in the scanned text, in UTF-16 units (as `String.prototype.slice` counts). `end` is exclusive. */
export type Span = { start: number; end: number };

export type Finding = {
  severity: Severity;
  code: string;
  message: string;
  span?: Span;
  /** Path of a field of the input, such as `context` or `accepts[0].payTo`. */
  field?: string;
};

/** A signal that a scanner looks for. Rules share a code when they are lighter and graver forms of the same signal. */
export type Rule = {
  code: string;
  severity: Severity;
  /** A fixed sentence. It never quotes the input, which may be hostile or secret. */
  message: string;
  /**
   * Points in the score. The default is the weight of the severity. A rule of severity low and weight 0 informs only: it
   * changes neither the score nor the verdict.
   */
  weight?: number;
};

/** A match of a rule. */
export type Hit = { rule: Rule; span?: Span; field?: string };

export type Conclusion = { verdict: Verdict; riskScore: number; findings: Finding[] };

/** One high finding leads to `review`. Two, or a high and a medium one, lead to `block`. */
export const severityWeights = { low: 8, medium: 25, high: 45, critical: 85 } as const satisfies Record<
  Severity,
  number
>;

export const blockFrom = 70;
export const reviewFrom = 25;
export const scoreMax = 100;

/** Bounds the length of an answer. More findings would not help a reader. */
export const findingsMax = 50;

/** The verdict on all matches. Each code counts once, with its gravest rule, so repetition does not raise the score. */
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
 * The points that each finding adds to the score, in the order of `findings`. Their sum, at most 100, is `riskScore`.
 * Of several findings with one code, the gravest has the points and the others 0. Works only on the array that a scan
 * returned: for a copy, such as one parsed from JSON, every entry is 0.
 */
export function sharesOf(findings: readonly Finding[]): number[] {
  const weighed = weights.get(findings) ?? [];
  const counted = new Map<string, number>();
  for (const [index, { code }] of findings.entries()) {
    const previousIndex = counted.get(code);
    if (previousIndex === undefined || (weighed[index] ?? 0) > (weighed[previousIndex] ?? 0)) counted.set(code, index);
  }
  return findings.map(({ code }, index) => (counted.get(code) === index ? (weighed[index] ?? 0) : 0));
}

/**
 * Kept outside the findings, whose shape is public. It cannot be derived from them: context changes the weight of a
 * rule.
 */
const weights = new WeakMap<readonly Finding[], readonly number[]>();

/** `version`, then a digest of the rules and weights, which changes with any of them. */
export const rulesetVersion = (version: string, tables: unknown): string => `${version}+${digestOf(tables)}`;

/** A digest of tables, and of how findings add up to a verdict. A message changes no verdict and is left out. */
export const digestOf = (tables: unknown): string =>
  sha256(stringToBytes(canonical([severityWeights, blockFrom, reviewFrom, tables]))).slice(2, 14);

/** Gravest first, then in order of discovery. When there are too many, the first of each code is kept before others. */
function inOrder(hits: readonly Hit[]): Hit[] {
  const ordered = unrepeated(hits).sort((a, b) => gradeOf(b) - gradeOf(a));
  if (ordered.length <= findingsMax) return ordered;
  const codes = new Set<string>();
  const isFirst = ordered.map(({ rule }) => !codes.has(rule.code) && codes.add(rule.code) !== undefined);
  const room = Math.max(0, findingsMax - codes.size);
  let spent = 0;
  return ordered.filter((_, index) => isFirst[index] || spent++ < room);
}

/** Without duplicates: two patterns, or a text and its decoded form, can match the same rule at the same place. */
const unrepeated = (hits: readonly Hit[]): Hit[] => [...new Map(hits.map((hit) => [saying(hit), hit])).values()];

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

/** JSON with sorted keys, without messages. Regular expressions and sets, which JSON would write as {}, are written out. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (key === "message") return undefined;
    if (inner instanceof RegExp) return `${plainSource(inner)} ${inner.flags}`;
    if (inner instanceof Set) return [...inner];
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Engines differ in what they escape: a slash inside brackets, and letters beyond ASCII. */
const plainSource = ({ source }: RegExp): string =>
  source
    .replaceAll("\\/", "/")
    .replace(/\\u([\da-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
