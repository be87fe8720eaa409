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
  /** Listed, but no longer declared. */
  gone: string[];
  /** Listed, and seen in this run. Races are seen in some runs only, so this is no failure. */
  seen: string[];
};

/** Responses to races and outages: whether a test meets one depends on the moment, unless it is made for it. */
const BY_CHANCE = / (?:202|409|429|500|503) /;

/** Compares what the API declares with what the tests saw. */
export function compare(declared: readonly string[], seen: ReadonlySet<string>, listed: readonly string[]): Untested {
  const unseen = new Set(declared.filter((line) => !seen.has(line)));
  const known = new Set(listed);
  const all = new Set(declared);
  return {
    missing: [...unseen].filter((line) => !known.has(line)).sort(),
    gone: listed.filter((line) => !all.has(line)),
    seen: listed.filter((line) => seen.has(line)),
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

/** The list after a run: with its reasons, without lines that are gone or were seen, and with `missing` ones to review. */
export function rewritten(text: string, { missing, gone, seen }: Untested): string {
  const groups = groupsOf(text);
  groups.set(NOT_REVIEWED, [...(groups.get(NOT_REVIEWED) ?? []), ...missing]);
  const dropped = new Set([...gone, ...seen]);
  return [...groups]
    .map(([reason, lines]) => [reason, lines.filter((line) => !dropped.has(line))] as const)
    .filter(([, lines]) => lines.length > 0)
    .map(([reason, lines]) => `${[reason, ...lines].join("\n")}\n`)
    .join("\n");
}

/**
 * The report on a run of all tests that collected its responses in the file `seenIn`. It is a failure if a response that does not
 * depend on the moment is neither seen nor listed, if a listed one is no longer declared, or if one has no reason.
 */
export function reportUntested(seenIn: string): { text: string; isFailure: boolean } {
  const seenLines = new Set(existsSync(seenIn) ? linesOf(readFileSync(seenIn, "utf8")) : []);
  const declared = [...new Set(declaredResponses())];
  const list = readFileSync(UNTESTED, "utf8");
  const difference = compare(declared, seenLines, linesOf(list));
  const { missing, gone, seen } = difference;
  if (process.env.WRITE_UNTESTED) {
    writeFileSync(UNTESTED, rewritten(list, difference));
    const text = `${UNTESTED}: ${missing.length} responses to review were added, ${gone.length + seen.length} removed`;
    return { text, isFailure: false };
  }
  const unexplained = groupsOf(list).get(NOT_REVIEWED) ?? [];
  const text = [
    `${declared.length} declared responses, ${missing.length} neither seen nor listed, ${gone.length} listed but gone, ${seen.length} listed and seen in this run, ${unexplained.length} without a reason`,
    ...missing.map((line) => `  not seen: ${line}`),
    ...gone.map((line) => `  remove from ${UNTESTED}: ${line}`),
    ...unexplained.map((line) => `  without a reason: ${line}`),
  ].join("\n");
  return { text, isFailure: missing.some((line) => !BY_CHANCE.test(line)) || gone.length + unexplained.length > 0 };
}
