import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isHarmless, kindOf, type PromptRow } from "../training/prompt-corpora.ts";
import { row as joined, shareText, type Table } from "./report.ts";

const folder = join(import.meta.dirname, "peers");
const names = z.array(z.string());

const groups: readonly (readonly [name: string, is: (row: PromptRow) => boolean])[] = [
  ["core, direct", (row) => kindOf(row) === "core" && row.cat !== "indirect-explicit"],
  ["core, indirect", (row) => kindOf(row) === "core" && row.cat === "indirect-explicit"],
  ["other languages", (row) => kindOf(row) === "multilingual"],
  ["harmless, easy", (row) => isHarmless(row) && row.hard === undefined],
  ["harmless, like attacks", (row) => isHarmless(row) && row.hard !== undefined],
];

const header = joined("scanner", ...groups.map(([name]) => name));

function lineOf(
  name: string,
  rows: readonly PromptRow[],
  isFlagged: (row: PromptRow, index: number) => boolean,
): string {
  const shares = groups.map(([, is]) => {
    const flags = rows.flatMap((row, index) => (is(row) ? [isFlagged(row, index)] : []));
    return shareText(flags.filter(Boolean).length, flags.length);
  });
  return joined(name, ...shares);
}

/** The shares of the rows, as they are, that `isFlagged` does. */
export const ownTable = (title: string, rows: readonly PromptRow[], isFlagged: (row: PromptRow) => boolean): Table => ({
  title,
  lines: [header, lineOf("tessera", rows, isFlagged)],
});

/** The shares of the rows that other scanners flag, and that `isFlagged` does. The others are installed by `npm install` in `bench/peers`. */
export function peerTable(title: string, rows: readonly PromptRow[], isFlagged: (row: PromptRow) => boolean): Table {
  if (!existsSync(join(folder, "node_modules"))) throw new Error(`Run npm install in ${folder}`);
  const [peers = [], ...judged] = execFileSync(process.execPath, [join(folder, "judge.js")], {
    input: rows.map(({ text }) => JSON.stringify(text)).join("\n"),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
    .trim()
    .split("\n")
    .map((line) => names.parse(JSON.parse(line)));
  const others = peers.map((name) => lineOf(name, rows, (_, index) => judged[index]?.includes(name) === true));
  const own = ownTable(title, rows, isFlagged);
  return { title, lines: [...own.lines, ...others] };
}
