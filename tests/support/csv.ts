import { expect } from "vitest";

export type Line = Record<string, string>;

/** Reads RFC 4180 as a spreadsheet does, byte order mark and all. */
export function parseCsv(text: string, columns: readonly string[]): Line[] {
  expect(text.slice(0, 1)).toBe("\ufeff");
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") rows.push([]);
  }
  const [header = [], ...lines] = rows;
  expect(header).toEqual(columns);
  // The last line ends as every other does: what stands behind it is empty.
  expect(lines.pop()).toEqual([""]);
  return lines.map((cells) => {
    expect(cells).toHaveLength(columns.length);
    return Object.fromEntries(cells.map((cell, at) => [columns[at], cell]));
  });
}

/** Cells that a program would run which parts them at commas, semicolons or tabs, in whatever quotes. */
export const formulasIn = (text: string): string[] =>
  text.split(/\r\n|[,;\t]/).filter((cell) => /^[\s"]*[=+\-@]/.test(cell));

/** A body with its byte order mark, which `text()` would take away. */
export const csvText = async (answer: Response): Promise<string> =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
