import type { Finding, Severity } from "@tessera/firewall/verdict";
import type { Report } from "./judge";

/** All findings of one code with their places. A code adds to the score once, however often it occurs. */
export type FoundCode = {
  code: string;
  severity: Severity;
  /** Part of the score. */
  share: number;
  entries: readonly { message: string; places: readonly Place[] }[];
};

/** `index` is the finding's position in the report. */
export type Place = { index: number; label: string };

/** Groups findings by code, in the report's order (most severe first); duplicates at one place are merged. */
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

/** Compares two verdicts by code and sentence; the severity may differ. */
export function differenceOf(a: readonly Finding[], b: readonly Finding[]) {
  const keyed = (findings: readonly Finding[]) =>
    new Map(findings.map((finding) => [`${finding.code} ${finding.message}`, finding]));
  const [inA, inB] = [keyed(a), keyed(b)];
  return {
    onlyA: [...inA].flatMap(([key, finding]) => (inB.has(key) ? [] : [finding])),
    both: [...inA].flatMap(([key, finding]) => {
      const counterpart = inB.get(key);
      return counterpart ? [{ ...finding, inB: counterpart.severity }] : [];
    }),
    onlyB: [...inB].flatMap(([key, finding]) => (inA.has(key) ? [] : [finding])),
  };
}

/** Converts UTF-16 offsets to code points, counted from 1, with an inclusive end. */
function placeOf({ span, field }: Finding, text: string): string | null {
  if (field !== undefined) return field;
  if (!span || span.end <= span.start) return null;
  const first = [...text.slice(0, span.start)].length + 1;
  const last = [...text.slice(0, span.end)].length;
  return first === last ? `character ${first}` : `characters ${first}–${last}`;
}
