import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { declaredResponses } from "./declared";

/**
 * Declared responses that no test sees, below the reason for it (a line that begins with #). WRITE_UNTESTED=1 drops what is
 * seen or gone, and adds what is new at the end.
 */
export const UNTESTED = "tests/support/untested.txt";

/** Stands above new lines of the list until someone gives a reason, a test, or removes the declaration. */
const NOT_REVIEWED = "# not reviewed";

export type Untested = {
  /** Declared, and neither seen nor listed. */
  missing: string[];
  /** Listed, but seen or no longer declared. */
  stale: string[];
};

/** Compares what the API declares with what the tests saw. */
export function compare(declared: readonly string[], seen: ReadonlySet<string>, listed: readonly string[]): Untested {
  const unseen = new Set(declared.filter((line) => !seen.has(line)));
  const known = new Set(listed);
  return {
    missing: [...unseen].filter((line) => !known.has(line)).sort(),
    stale: listed.filter((line) => !unseen.has(line)),
  };
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

/** Listed lines by their reasons, in the list's order. */
export function groupsOf(text: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  let reason = NOT_REVIEWED;
  for (const line of text.split("\n").filter(Boolean)) {
    if (line.startsWith("#")) reason = line;
    else groups.set(reason, [...(groups.get(reason) ?? []), line]);
  }
  return groups;
}

/** The list after a run: with its reasons, without `stale` lines, and with `missing` ones to review. */
export function rewritten(text: string, { missing, stale }: Untested): string {
  const groups = groupsOf(text);
  groups.set(NOT_REVIEWED, [...(groups.get(NOT_REVIEWED) ?? []), ...missing]);
  const gone = new Set(stale);
  return [...groups]
    .map(([reason, lines]) => [reason, lines.filter((line) => !gone.has(line))] as const)
    .filter(([, lines]) => lines.length > 0)
    .map(([reason, lines]) => `${[reason, ...lines].join("\n")}\n`)
    .join("\n");
}

/**
 * The report on a run of all tests that collected its responses in the file `seenIn`. Throws if it differs from the list, or if
 * a listed response has no reason.
 */
export function reportUntested(seenIn: string): string {
  const seen = new Set(existsSync(seenIn) ? linesOf(readFileSync(seenIn, "utf8")) : []);
  const declared = [...new Set(declaredResponses())];
  const list = readFileSync(UNTESTED, "utf8");
  const difference = compare(declared, seen, linesOf(list));
  const { missing, stale } = difference;
  if (process.env.WRITE_UNTESTED) {
    writeFileSync(UNTESTED, rewritten(list, difference));
    return `${UNTESTED}: ${missing.length} responses to review were added, ${stale.length} removed`;
  }
  const unexplained = groupsOf(list).get(NOT_REVIEWED) ?? [];
  const report = [
    `${declared.length} declared responses, ${missing.length} neither seen nor listed, ${stale.length} listed but seen or gone, ${unexplained.length} without a reason`,
    ...missing.map((line) => `  not seen: ${line}`),
    ...stale.map((line) => `  remove from ${UNTESTED}: ${line}`),
    ...unexplained.map((line) => `  without a reason: ${line}`),
  ].join("\n");
  if (missing.length + stale.length + unexplained.length > 0) throw new Error(report);
  return report;
}
