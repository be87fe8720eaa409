import { readDraft } from "@/components/firewall/drafts";
import { exampleOf, firstOf } from "@/components/firewall/gallery";
import { judge, type Report } from "@/components/firewall/judge";
import type { Scanner } from "@/components/firewall/scanners";

const reports = new Map<string, Report | null>();

/**
 * The verdicts on the first example of each tab and on those that the URL names, by tab and id: a page that opens with them
 * needs no engine. They never change, so each is computed once.
 */
export function preparedReports(tab: Scanner, picked: readonly (string | null)[]) {
  const reportsOf = (scanner: Scanner): Record<string, Report> => {
    const ids = [firstOf(scanner)?.id ?? null, ...(scanner === tab ? picked : [])];
    const entries = ids.map((id) => [id, reportOn(scanner, id)] as const);
    return Object.fromEntries(
      entries.flatMap(([id, report]) => (id === null || report === null ? [] : [[id, report]])),
    );
  };
  return { transaction: reportsOf("transaction"), x402: reportsOf("x402"), prompt: reportsOf("prompt") };
}

function reportOn(scanner: Scanner, id: string | null): Report | null {
  const example = exampleOf(scanner, id);
  if (!example) return null;
  const key = `${scanner}/${example.id}`;
  const stored = reports.get(key);
  if (stored !== undefined) return stored;
  // The limit of a body is for what a reader writes; every example is far below it.
  const reading = readDraft(example.draft, Number.POSITIVE_INFINITY);
  const judged = reading.type === "valid" ? judge(reading.request) : null;
  const report = judged?.type === "valid" ? judged.report : null;
  reports.set(key, report);
  return report;
}
