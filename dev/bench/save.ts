import { readFileSync, writeFileSync } from "node:fs";
import { type Figure, markdownTable } from "./figures";

const FILE = "docs/performance.md";
const [START, END] = ["<!-- figures -->", "<!-- /figures -->"];

/** Replaces the table of docs/performance.md. Its other words are written by hand. */
export function saveFigures(figures: readonly Figure[], setting: string, day: string): void {
  const text = readFileSync(FILE, "utf8");
  const [from, to] = [text.indexOf(START), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${FILE} has no place for the figures`);
  const block = `${START}\n${markdownTable(figures)}\n\nMeasured on ${day}: ${setting}.\n`;
  writeFileSync(FILE, text.slice(0, from) + block + text.slice(to));
}
