import type { Finding, Severity } from "@tessera/firewall/verdict";
import type { Report } from "./engine";

/** One thing that was found and its places: a code counts once, however often and in whatever form it was found. */
export type FoundCode = {
  code: string;
  severity: Severity;
  /** Part of the score. */
  share: number;
  entries: readonly { message: string; places: readonly Place[] }[];
};

/** `index` is the finding's own among the report's. */
export type Place = { index: number; label: string };

/** The findings by their codes, gravest first as they came; what was found twice at one place stands once. */
export function byCode(report: Report): FoundCode[] {
  const { scan, shares } = report;
  const text = report.scanner === "prompt" ? report.text : "";
  const groups = new Map<string, { severity: Severity; share: number; messages: Map<string, Map<string, Place>> }>();
  for (const [index, finding] of scan.findings.entries()) {
    const { code, severity, message } = finding;
    const group = groups.get(code) ?? { severity, share: 0, messages: new Map() };
    group.share += shares[index] ?? 0;
    const places = group.messages.get(message) ?? new Map<string, Place>();
    const label = placeOf(finding, text);
    if (label !== null && !places.has(label)) places.set(label, { index, label });
    group.messages.set(message, places);
    groups.set(code, group);
  }
  return [...groups].map(([code, { severity, share, messages }]) => ({
    code,
    severity,
    share,
    entries: [...messages].map(([message, places]) => ({ message, places: [...places.values()] })),
  }));
}

/** What two verdicts have in common, and what only one has: by code and sentence, since severities may differ. */
export function differenceOf(a: readonly Finding[], b: readonly Finding[]) {
  const keyed = (findings: readonly Finding[]) =>
    new Map(findings.map((finding) => [`${finding.code} ${finding.message}`, finding]));
  const [inA, inB] = [keyed(a), keyed(b)];
  return {
    onlyA: [...inA].flatMap(([key, finding]) => (inB.has(key) ? [] : [finding])),
    both: [...inA].flatMap(([key, finding]) => {
      const other = inB.get(key);
      return other ? [{ ...finding, inB: other.severity }] : [];
    }),
    onlyB: [...inB].flatMap(([key, finding]) => (inA.has(key) ? [] : [finding])),
  };
}

/** People count whole characters, from one, and name the last that belongs to it. */
function placeOf({ span, field }: Finding, text: string): string | null {
  if (field !== undefined) return field;
  if (!span || span.end <= span.start) return null;
  const first = [...text.slice(0, span.start)].length + 1;
  const last = [...text.slice(0, span.end)].length;
  return first === last ? `character ${first}` : `characters ${first}–${last}`;
}
