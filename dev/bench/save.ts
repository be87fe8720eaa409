import { readFileSync, writeFileSync } from "node:fs";
import { type Figure, HEAD, markdownTable } from "./figures";

/** Figures that a plan of capacity needs, which docs/scaling.md shows too. */
const PLANNED = /^CPU of the server/;

export type Saved = {
  figures: readonly Figure[];
  failures: readonly string[];
  setting: string;
  day: string;
  /** The parts that were measured, if not all were: the other rows stay, and so does when they were measured. */
  parts: readonly string[] | null;
};

/** Replaces the tables of docs/performance.md and docs/scaling.md. Their other words are written by hand. */
export function saveFigures(saved: Saved): void {
  saveInto("docs/performance.md", saved);
  const figures = saved.figures.filter(({ what }) => PLANNED.test(what));
  if (figures.length > 0) saveInto("docs/scaling.md", { ...saved, figures, failures: [] });
}

/** Replaces the profile of docs/performance.md. */
export const saveProfile = (table: string, setting: string, day: string): void =>
  replaceBlock("docs/performance.md", "profile", () => `\n${table}\n\nMeasured on ${day}: ${setting}.\n`);

export const saveInto = (file: string, saved: Saved): void =>
  replaceBlock(file, "figures", (before) => blockOf(before, saved));

/** Replaces what stands between two comments with the name of the block. */
function replaceBlock(file: string, name: string, replacement: (before: string) => string): void {
  const text = readFileSync(file, "utf8");
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)];
  if (from < start.length || to < from) throw new Error(`${file} has no place for the ${name}`);
  writeFileSync(file, text.slice(0, from) + replacement(text.slice(from, to)) + text.slice(to));
}

function blockOf(before: string, { figures, failures, setting, day, parts }: Saved): string {
  const [head = "", line = "", ...rows] = markdownTable(figures).split("\n");
  const merged = parts ? mergedRows(before, rows) : rows;
  const which = parts ? `${PART}${parts.join(", ")}: measured` : WHOLE;
  const earlier = parts ? measuredBefore(before).filter((each) => !each.startsWith(`${which} on`)) : [];
  const measured = [...earlier, `${which} on ${day}: ${setting}.`].map((each) => `${each}\n`);
  const missing = failures.map((failure) => `Not measured: ${failure}.\n`);
  return `\n${[head, line, ...merged].join("\n")}\n\n${measured.join("")}${missing.join("")}`;
}

const [WHOLE, PART] = ["Measured", "Of these, "];

/** When the rows that were there were measured. */
const measuredBefore = (before: string): string[] =>
  before.split("\n").filter((line) => line.startsWith(`${WHOLE} on`) || line.startsWith(PART));

/** The rows that were there, with the new ones in their places or behind them. */
function mergedRows(before: string, rows: readonly string[]): string[] {
  const fresh = new Map(rows.map((row) => [keyOf(row), row]));
  const old = before.split("\n").filter((line) => line.startsWith("| ") && !/^\| (---| )/.test(line));
  const kept = old.map((row) => fresh.get(keyOf(row)) ?? row);
  const known = new Set(old.map(keyOf));
  return [...kept, ...rows.filter((row) => !known.has(keyOf(row)))];
}

/** What a row is about: the name of its figure, and what is beside it. */
function keyOf(row: string): string {
  const cells = row.split(" | ");
  return `${cells[0]} | ${cells[HEAD.indexOf("what is beside it")]}`;
}
