import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { declaredResponses } from "./declared";

/** Declared responses that no test sees, each with its reason or for later. Written with WRITE_UNTESTED=1. */
export const UNTESTED = "tests/support/untested.txt";

/** As long as the list begins with this line, differences from it are printed and fail nothing. */
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

/**
 * The report on a run of all tests that collected its responses in the file `seenIn`. Throws if it differs from the reviewed
 * list.
 */
export function reportUntested(seenIn: string): string {
  const seen = new Set(existsSync(seenIn) ? linesOf(readFileSync(seenIn, "utf8")) : []);
  const declared = [...new Set(declaredResponses())];
  const list = readFileSync(UNTESTED, "utf8");
  if (process.env.WRITE_UNTESTED) {
    const { missing } = compare(declared, seen, []);
    const [first = ""] = list.split("\n");
    writeFileSync(UNTESTED, `${[...(first.startsWith("#") ? [first] : []), ...missing].join("\n")}\n`);
    return `wrote ${missing.length} untested responses to ${UNTESTED}`;
  }
  const { missing, stale } = compare(declared, seen, linesOf(list));
  const counts = `${declared.length} declared responses, ${missing.length} neither seen nor listed, ${stale.length} listed but seen or gone`;
  const report = [
    counts,
    ...missing.map((line) => `  not seen: ${line}`),
    ...stale.map((line) => `  remove from ${UNTESTED}: ${line}`),
  ].join("\n");
  if (missing.length + stale.length > 0 && !list.startsWith(NOT_REVIEWED)) throw new Error(report);
  return report;
}
