import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { RULESET_VERSION } from "../src/ruleset.ts";
import type { Peer } from "./peers.ts";
import { type Figure, goalText, isMet, type Section, type TimeSection, toText } from "./report.ts";

const FILE = join(import.meta.dirname, "figures.json");

const measured = z.object({
  /** Date in UTC. */
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
  /** When and with which rules times were taken. */
  speedsOf: z.object({ measuredOn: z.string(), rulesetVersion: z.string() }),
  /** In milliseconds. Empty until `--save`. */
  speeds: z
    .array(
      z.object({
        title: z.string(),
        timings: z.array(
          z.object({
            name: z.string(),
            median: z.number(),
            p99: z.number(),
            goal: z.string(),
            isMet: z.boolean().nullable(),
          }),
        ),
      }),
    )
    .default([]),
  peers: z.array(
    z.object({
      name: z.string(),
      core: z.number(),
      multilingual: z.number(),
      benign: z.number(),
      hard: z.number(),
      evasions: z.number(),
      lookalikes: z.number(),
      /** Documents per second of processor time, relative to ours. */
      speed: z.number(),
    }),
  ),
});

/** The figures of `npm run bench:firewall -- --save`. */
export type Measured = z.output<typeof measured>;

export const savedFigures = (): Measured => measured.parse(JSON.parse(readFileSync(FILE, "utf8")));

/** `times` is null if none were taken. */
export type Found = { agreement: readonly Section[]; times: readonly TimeSection[] | null; peers: readonly Peer[] };

/** Saves the figures for docs/firewall.md. Without times, the saved ones stay. The first of `peers` must be ours. */
export function saveFigures(found: Found, now: Date): void {
  const { speeds, speedsOf } = found.times === null ? savedFigures() : toSave(found, now);
  writeFileSync(FILE, `${JSON.stringify({ ...toSave(found, now), speeds, speedsOf }, null, 2)}\n`);
}

export function toSave({ agreement, times, peers }: Found, now: Date): Measured {
  const own = peers[0]?.documentsPerSecond ?? 1;
  const run = { measuredOn: now.toISOString().slice(0, 10), rulesetVersion: RULESET_VERSION };
  return {
    ...run,
    speedsOf: run,
    sections: agreement.map(({ title, figures, notes }) => ({
      title,
      figures: figures.map((figure) => ({
        name: figure.name,
        figure: toText(figure),
        goal: goalText(figure.goal, figure.unit),
        isMet: isMet(figure),
      })),
      notes,
    })),
    speeds: (times ?? []).map(({ title, timings }) => ({
      title,
      timings: timings.map(({ name, median, p99 }) => ({
        name,
        median: rounded(median.value),
        p99: rounded(p99.value),
        ...judged([
          ["median", median],
          ["p99", p99],
        ]),
      })),
    })),
    peers: peers.map(({ documentsPerSecond, ...peer }) => ({
      ...peer,
      speed: Math.round((100 * documentsPerSecond) / own) / 100,
    })),
  };
}

/** Rounds to microseconds. */
const rounded = (value: number): number => Math.round(1000 * value) / 1000;

/** The goals of a line and whether all are met, null without a goal. */
function judged(parts: readonly (readonly [name: string, figure: Figure])[]) {
  const aimed = parts.filter(([, { goal }]) => goal !== undefined);
  return {
    goal: aimed.map(([name, { goal, unit }]) => `${name} ${goalText(goal, unit)}`).join(", "),
    isMet: aimed.length === 0 ? null : aimed.every(([, figure]) => isMet(figure)),
  };
}
