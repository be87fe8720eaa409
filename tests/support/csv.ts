import { expect } from "vitest";

export type Line = Record<string, string>;

/** Parses RFC 4180 as a spreadsheet does, including a byte order mark. */
export function parseCsv(text: string, columns: readonly string[]): Line[] {
  expect(text.slice(0, 1)).toBe("\ufeff");
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") rows.push([]);
  }
  const [header = [], ...lines] = rows;
  expect(header).toEqual(columns);
  // The last line is terminated too, so the remainder is empty.
  expect(lines.pop()).toEqual([""]);
  return lines.map((cells) => {
    expect(cells).toHaveLength(columns.length);
    return Object.fromEntries(cells.map((cell, index) => [columns[index], cell]));
  });
}

/** Cells that a spreadsheet would evaluate as a formula, split at commas, semicolons or tabs, with any quotes. */
export const formulasIn = (text: string): string[] =>
  text.split(/\r\n|[,;\t]/).filter((cell) => /^[\s"]*[=+\-@]/.test(cell));

/** A body including its byte order mark, which `text()` removes. */
export const csvText = async (response: Response): Promise<string> =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
