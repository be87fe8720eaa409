import type { Conclusion } from "../src/verdict.ts";

/** The codes of a scan, each once. */
export const codesIn = ({ findings }: Conclusion): string[] => [...new Set(findings.map(({ code }) => code))].sort();

/** The verdict, then the codes. */
export const outcomeOf = (scan: Conclusion): string => [scan.verdict, ...codesIn(scan)].join(" ");
