/** A record, and the number of its first line, from 1. */
export type Line = { line: number; cells: string[] };

/** The records of a file, or the first CSV error with its line. */
export type CsvReading = { type: "valid"; lines: Line[] } | { type: "invalid"; line: number; fault: string };

/**
 * Parses CSV strictly by RFC 4180: a cell is quoted completely or not at all. The separator is `,`, or `;` if the first line contains `;` but no `,`:
 * spreadsheets write `;` where the comma is the decimal mark. Empty lines are skipped.
 */
export function parseCsv(text: string): CsvReading {
  const source = text.replace(/^\ufeff/, "");
  const separator = separatorOf(source);
  const lines: Line[] = [];
  let index = 0;
  let line = 1;
  while (index < source.length) {
    const record: Line = { line, cells: [] };
    for (;;) {
      const cell = source[index] === '"' ? quoted(source, index) : bare(source, index, separator);
      if (cell.type === "invalid") return { type: "invalid", line: line + cell.lines, fault: cell.fault };
      record.cells.push(cell.text);
      line += cell.lines;
      index = cell.end;
      if (source[index] !== separator) break;
      index += 1;
    }
    const end = /^(?:\r\n|\n|\r)/.exec(source.slice(index, index + 2))?.[0];
    if (end === undefined && index < source.length) {
      return { type: "invalid", line, fault: "A quoted cell is followed by more text." };
    }
    index += end?.length ?? 0;
    line += 1;
    if (record.cells.some((cell) => cell.trim() !== "")) lines.push(record);
  }
  return { type: "valid", lines };
}

type Cell =
  | { type: "valid"; text: string; end: number; lines: number }
  | { type: "invalid"; fault: string; lines: number };

function quoted(source: string, from: number): Cell {
  let text = "";
  let index = from + 1;
  for (;;) {
    const next = source.indexOf('"', index);
    if (next < 0) return { type: "invalid", fault: "A quoted cell is not closed.", lines: 0 };
    text += source.slice(index, next);
    index = next + 1;
    if (source[index] !== '"') break;
    text += '"';
    index += 1;
  }
  return { type: "valid", text, end: index, lines: text.split(/\r\n|\n|\r/).length - 1 };
}

function bare(source: string, from: number, separator: string): Cell {
  let end = from;
  while (end < source.length && source[end] !== separator && source[end] !== "\n" && source[end] !== "\r") end += 1;
  const text = source.slice(from, end);
  return text.includes('"')
    ? { type: "invalid", fault: "A cell that is not quoted contains a quote.", lines: 0 }
    : { type: "valid", text, end, lines: 0 };
}

function separatorOf(source: string): string {
  const [head = ""] = source.split(/\r\n|\n|\r/, 1);
  return head.includes(";") && !head.includes(",") ? ";" : ",";
}

/** Cells as a line of CSV. An apostrophe keeps spreadsheets from running a cell as a formula. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
