import { readFileSync, writeFileSync } from "node:fs";
import { type Figure, HEAD, markdownTable } from "./figures";

const [START, END] = ["<!-- figures -->", "<!-- /figures -->"];
/** Figures that a plan of capacity needs, which docs/scaling.md shows too. */
const PLANNED = /^CPU of the server/;

export type Saved = {
  figures: readonly Figure[];
  failures: readonly string[];
  setting: string;
  day: string;
  /** Whether only some parts were measured: the other rows of the table stay. */
  isPartial: boolean;
};

/** Replaces the tables of docs/performance.md and docs/scaling.md. Their other words are written by hand. */
export function saveFigures(saved: Saved): void {
  saveInto("docs/performance.md", saved);
  const figures = saved.figures.filter(({ what }) => PLANNED.test(what));
  if (figures.length > 0) saveInto("docs/scaling.md", { ...saved, figures, failures: [] });
}

export function saveInto(file: string, saved: Saved): void {
  const text = readFileSync(file, "utf8");
  const [from, to] = [text.indexOf(START), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for the figures`);
  writeFileSync(file, text.slice(0, from) + START + blockOf(text.slice(from, to), saved) + text.slice(to));
}

function blockOf(before: string, { figures, failures, setting, day, isPartial }: Saved): string {
  const [head = "", line = "", ...rows] = markdownTable(figures).split("\n");
  const merged = isPartial ? mergedRows(before, rows) : rows;
  const missing = failures.map((failure) => `Not measured: ${failure}.\n`);
  return `\n${[head, line, ...merged].join("\n")}\n\nMeasured on ${day}: ${setting}.\n${missing.join("")}`;
}

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
