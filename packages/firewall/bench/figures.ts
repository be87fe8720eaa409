import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Part, shareText } from "../training/summary.ts";
import { type Figure, goalText, isMet, type Section, type TimeSection, toText } from "./report.ts";

const FILE = join(import.meta.dirname, "figures.json");

/** A table: a line has its cells, joined by " | ", so that the file has one line for each. */
const savedTable = z.object({ title: z.string(), lines: z.array(z.string()) });
/** Tables, and when and with which ruleset they were measured. */
const measurement = z.object({ on: z.string(), rulesetVersion: z.string(), tables: z.array(savedTable) });
const measured = z.object({
  /** Per cent of recognisable attacks and of harmless texts that are flagged, in the folds. */
  headline: z.object({ attacks: z.number(), harmless: z.number() }),
  folds: measurement,
  heldBack: measurement,
  labelled: measurement,
  times: measurement,
  peers: measurement,
});

/** The figures for docs/firewall.md. */
export type Measured = z.output<typeof measured>;
export type Measurement = z.output<typeof measurement>;

export const savedFigures = (): Measured => measured.parse(JSON.parse(readFileSync(FILE, "utf8")));

/** Replaces a part of the saved figures. */
export function saveFigures(news: Partial<Measured>): void {
  writeFileSync(FILE, `${JSON.stringify({ ...savedFigures(), ...news }, null, 2)}\n`);
}

export const measurementOf = (now: Date, rulesetVersion: string, tables: Measurement["tables"]): Measurement => ({
  on: now.toISOString().slice(0, 10),
  rulesetVersion,
  tables,
});

const row = (...cells: readonly (string | number)[]): string => cells.join(" | ");

export const tablesOfParts = (parts: readonly Part[]): Measurement["tables"] =>
  parts.map(({ title, lines }) => ({
    title,
    lines: [
      row("texts", "number", "flagged", "blocked"),
      ...lines.map(({ name, texts, flagged, blocked }) =>
        row(name, texts, shareText(flagged, texts), shareText(blocked, texts)),
      ),
    ],
  }));

const metText = (figures: readonly Figure[]): string => {
  const aimed = figures.filter(({ goal }) => goal !== undefined);
  return aimed.length === 0 ? "" : aimed.every((figure) => isMet(figure)) ? "met" : "not met";
};

export const tablesOfSections = (sections: readonly Section[]): Measurement["tables"] =>
  sections.map(({ title, figures, notes }) => ({
    title,
    lines: [
      row("figure", "measured", "goal", ""),
      ...figures.map((figure) =>
        row(figure.name, toText(figure), goalText(figure.goal, figure.unit), metText([figure])),
      ),
      ...notes.map((note) => row(note, "", "", "")),
    ],
  }));

export const tablesOfTimes = (sections: readonly TimeSection[]): Measurement["tables"] =>
  sections.map(({ title, timings }) => ({
    title,
    lines: [
      row("input", "median, ms", "p99, ms", "goal", ""),
      ...timings.map(({ name, median, p99 }) => {
        const goals = Object.entries({ median, p99 }).flatMap(([part, { goal, unit }]) =>
          goal === undefined ? [] : [`${part} ${goalText(goal, unit)}`],
        );
        return row(name, median.value.toFixed(3), p99.value.toFixed(3), goals.join(", "), metText([median, p99]));
      }),
    ],
  }));
