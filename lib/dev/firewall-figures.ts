import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { RULESET_VERSION } from "@/lib/firewall/rules/ruleset";
import { goalText, isMet, type Section, toText } from "./bench-figures";
import type { Peer } from "./bench-firewall-peers";

const FILE = "lib/firewall/figures.json";

const measured = z.object({
  /** The day, in UTC. */
  measuredOn: z.string(),
  rulesetVersion: z.string(),
  sections: z.array(
    z.object({
      title: z.string(),
      figures: z.array(
        z.object({ name: z.string(), figure: z.string(), goal: z.string(), isMet: z.boolean().nullable() }),
      ),
      notes: z.array(z.string()),
    }),
  ),
  peers: z.array(
    z.object({
      name: z.string(),
      core: z.number(),
      multilingual: z.number(),
      benign: z.number(),
      hard: z.number(),
      evasions: z.number(),
      lookalikes: z.number(),
      /** Documents a second of processor time, as a multiple of ours. */
      speed: z.number(),
    }),
  ),
});

/** What `npm run bench:firewall -- --save` found, without anything that depends on the machine. */
export type Measured = z.output<typeof measured>;

export const savedFigures = (): Measured => measured.parse(JSON.parse(readFileSync(FILE, "utf8")));

/** `sections` without those of times; the first of `peers` is ours. */
export function saveFigures(sections: readonly Section[], peers: readonly Peer[], now: Date): void {
  const own = peers[0]?.documentsPerSecond ?? 1;
  const saved: Measured = {
    measuredOn: now.toISOString().slice(0, 10),
    rulesetVersion: RULESET_VERSION,
    sections: sections.map(({ title, figures, notes }) => ({
      title,
      figures: figures.map((figure) => ({
        name: figure.name,
        figure: toText(figure),
        goal: goalText(figure.goal, figure.unit),
        isMet: isMet(figure),
      })),
      notes,
    })),
    peers: peers.map(({ documentsPerSecond, ...peer }) => ({
      ...peer,
      speed: Math.round((100 * documentsPerSecond) / own) / 100,
    })),
  };
  writeFileSync(FILE, `${JSON.stringify(saved, null, 2)}\n`);
}
