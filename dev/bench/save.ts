import { readFileSync, writeFileSync } from "node:fs";
import { type Figure, HEAD, markdownTable } from "./figures";

/** Figures for capacity planning, which docs/scaling.md also shows. */
const PLANNED = /^CPU of the server/;

export type Saved = {
  figures: readonly Figure[];
  failures: readonly string[];
  setting: string;
  day: string;
  /** The measured parts, or null for all. Rows of other parts keep their values and their date. */
  parts: readonly string[] | null;
};

/** Replaces the tables of docs/performance.md and docs/scaling.md. The text around them is written by hand. */
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

/** Replaces the text between the block's start and end comments. */
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

/** The date lines of existing rows. */
const measuredBefore = (before: string): string[] =>
  before.split("\n").filter((line) => line.startsWith(`${WHOLE} on`) || line.startsWith(PART));

/** The existing rows, replaced by new ones with the same key; other new rows are appended. */
function mergedRows(before: string, rows: readonly string[]): string[] {
  const fresh = new Map(rows.map((row) => [keyOf(row), row]));
  const old = before.split("\n").filter((line) => line.startsWith("| ") && !/^\| (---| )/.test(line));
  const kept = old.map((row) => fresh.get(keyOf(row)) ?? row);
  const known = new Set(old.map(keyOf));
  return [...kept, ...rows.filter((row) => !known.has(keyOf(row)))];
}

/** A row's key: the figure's name and its comparison. */
function keyOf(row: string): string {
  const cells = row.split(" | ");
  return `${cells[0]} | ${cells[HEAD.indexOf("what is beside it")]}`;
}
