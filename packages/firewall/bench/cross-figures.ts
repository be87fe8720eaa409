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
