import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const FILE = join(import.meta.dirname, "cross.json");

const crossFigures = z.object({
  rulesetVersion: z.string(),
  sources: z.int(),
  groups: z.int(),
  sections: z.array(
    z.object({
      title: z.string(),
      lines: z.array(z.object({ name: z.string(), texts: z.int(), flagged: z.int(), blocked: z.int() })),
    }),
  ),
});

/** The figures of `npm run firewall:cross -- --save`. */
export type CrossFigures = z.output<typeof crossFigures>;

export const savedCross = (): CrossFigures => crossFigures.parse(JSON.parse(readFileSync(FILE, "utf8")));

export const saveCross = (figures: CrossFigures): void => writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`);

/** A share in per cent; small ones with two digits. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(part > 0 && part < whole / 100 ? 2 : 1)} %`;
}

const savedVerdict = z.object({ id: z.string(), verdict: z.enum(["pass", "review", "block"]) });
type Judged = z.output<typeof savedVerdict> & { kind: string };

/** How many verdicts of each kind of text differ from those that `--json` wrote to the file: cells of a table. */
export function changedVerdicts(file: string, now: readonly Judged[]): string[][] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const before = new Map(
    lines.map((line) => savedVerdict.parse(JSON.parse(line))).map(({ id, verdict }) => [id, verdict]),
  );
  const changes = [
    ["pass", "review"],
    ["pass", "block"],
    ["review", "block"],
    ["block", "review"],
    ["review", "pass"],
    ["block", "pass"],
  ] as const;
  const kinds = [...new Set(now.map(({ kind }) => kind))];
  const count = (kind: string, from: string, to: string): number =>
    now.filter((one) => one.kind === kind && before.get(one.id) === from && one.verdict === to).length;
  return [
    ["", ...changes.map(([from, to]) => `${from} → ${to}`)],
    ...kinds.map((kind) => [kind, ...changes.map(([from, to]) => `${count(kind, from, to)}`)]),
  ];
}
