import { setImmediate } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";

export type Csv<Column extends string, Row> = {
  /** The file's, without its ending. */
  name: string;
  columns: readonly Column[];
  pages: AsyncGenerator<readonly Row[]>;
  line: (row: Row) => Record<Column, unknown>;
};

/**
 * A file for a spreadsheet, sent page by page as fast as it is taken. A page that cannot be read breaks the download: half
 * a file must not look like a whole one.
 */
export async function csvDownload<Column extends string, Row>({
  name,
  columns,
  pages,
  line,
}: Csv<Column, Row>): Promise<Response> {
  // Before the answer begins, a failure can still be told as what it is.
  let page = await pages.next();
  let at = 0;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      // Without a byte order mark Excel takes UTF-8 for the machine's old code page.
      controller.enqueue(encoder.encode(`\ufeff${csvLines([columns])}`)),
    pull: async (controller) => {
      while (!page.done && at === page.value.length) {
        page = await pages.next();
        at = 0;
      }
      if (page.done) return controller.close();
      let text = "";
      for (const row of page.value.slice(at)) {
        text += csvLines([cellsOf(row)]);
        at += 1;
        if (text.length > CHUNK_CHARS) break;
      }
      controller.enqueue(encoder.encode(text));
      // A stream that is read fast would otherwise keep everybody else waiting.
      await setImmediate();
    },
    cancel: () => void pages.return(undefined),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "no-store",
    },
  });

  function cellsOf(row: Row): unknown[] {
    const cells = line(row);
    return columns.map((column) => cells[column]);
  }
}

/** Written at once: a row may be as large as a request, and writing it takes as long as many small ones. */
const CHUNK_CHARS = 16_384;

/** RFC 4180, with nothing that a spreadsheet would run. */
export const csvLines = (lines: readonly (readonly unknown[])[]): string =>
  stringify([...lines], {
    record_delimiter: "windows",
    // Off unless told, once a delimiter is named: a line break of a text would begin a line of the file.
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: {
      string: (text) => text.replace(HIDDEN_FORMULA, "$1'"),
      // JSON may say its semicolons otherwise; an apostrophe would be part of its texts.
      object: (value) => JSON.stringify(value).replaceAll(";", "\\u003b"),
    },
  });

/**
 * What `escape_formulas` does not see: a formula behind blanks, or behind what begins a cell in programs that part cells
 * at a semicolon or tab, as Excel does where the comma is the decimal sign.
 */
const HIDDEN_FORMULA = /(^[^\S\t\r]\s*|[;\t\r\n][\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
