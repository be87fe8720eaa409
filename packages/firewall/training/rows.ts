import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { z } from "zod";

/** The rows of a gzipped JSON-lines file, or null when the file does not exist. Throws on a row of another form. */
export function readRows<Row>(folder: string, file: string, row: z.ZodType<Row>): Row[] | null {
  const path = join(folder, file);
  if (!existsSync(path)) return null;
  const lines = gunzipSync(readFileSync(path)).toString("utf8").split("\n").filter(Boolean);
  return lines.map((line) => row.parse(JSON.parse(line)));
}
