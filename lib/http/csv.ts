import { setImmediate } from "node:timers/promises";
import { stringify } from "csv-stringify/sync";
import { CSV } from "@/lib/core/endpoint";

export type Csv<Column extends string, Row> = {
  /** The file name without its extension. */
  name: string;
  columns: readonly Column[];
  pages: AsyncGenerator<readonly Row[]>;
  line: (row: Row) => Record<Column, unknown>;
};

/**
 * A CSV file, streamed page by page as fast as the client reads it. A page that cannot be read aborts the download: a partial file must
 * not look complete.
 */
export async function csvDownload<Column extends string, Row>({
  name,
  columns,
  pages,
  line,
}: Csv<Column, Row>): Promise<Response> {
  // Read the first page before the response starts, so that a failure can still become an error response.
  let page = await pages.next();
  let index = 0;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      // Without a byte order mark Excel reads UTF-8 as the system's legacy code page.
      controller.enqueue(encoder.encode(`\ufeff${csvLines([columns])}`)),
    pull: async (controller) => {
      while (!page.done && index === page.value.length) {
        page = await pages.next();
        index = 0;
      }
      if (page.done) return controller.close();
      let text = "";
      for (const row of page.value.slice(index)) {
        const cells = line(row);
        text += csvLines([columns.map((column) => cells[column])]);
        index += 1;
        if (text.length > CHUNK_CHARS) break;
      }
      controller.enqueue(encoder.encode(text));
      // Yield: a fast reader would otherwise block the event loop.
      await setImmediate();
    },
    cancel: () => void pages.return(undefined),
  });
  return new Response(body, {
    headers: {
      "Content-Type": CSV.contentType,
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "no-store",
    },
  });
}

/** Characters per chunk. A row may be as large as a request, so writing a whole page at once could block for long. */
const CHUNK_CHARS = 16_384;

/** RFC 4180, with formulas escaped so that no spreadsheet runs them. */
export const csvLines = (lines: readonly (readonly unknown[])[]): string =>
  stringify([...lines], {
    record_delimiter: "windows",
    // Off by default once a delimiter is set: a line break in a text would start a new row.
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: {
      string: (text) => text.replace(HIDDEN_FORMULA, "$1'"),
      // JSON can escape its semicolons; an apostrophe would become part of its strings.
      object: (value) => JSON.stringify(value).replaceAll(";", "\\u003b"),
    },
  });

/**
 * Formulas that `escape_formulas` misses: after blanks, or after a character that starts a new cell in programs that
 * separate cells by semicolon or tab, as Excel does where the decimal separator is a comma.
 */
const HIDDEN_FORMULA = /(^[^\S\t\r]\s*|[;\t\r\n][\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
