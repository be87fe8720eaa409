import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { z } from "zod";

/** One table of the report. */
export type Section = { title: string; figures: (readonly [name: string, value: string])[] };

/** The rows of a gzipped JSON-lines file, or null when there is none. */
export function readRows<Row>(folder: string, file: string, row: z.ZodType<Row>): Row[] | null {
  const path = join(folder, file);
  if (!existsSync(path)) return null;
  const lines = gunzipSync(readFileSync(path)).toString("utf8").split("\n").filter(Boolean);
  return lines.map((line) => row.parse(JSON.parse(line)));
}

export const missing = (title: string, file: string): Section => ({
  title,
  figures: [["not measured", `${file} is missing`]],
});

/** Milliseconds of single runs, after a warm-up. */
export function timesOf(run: () => unknown, runs: number): { median: number; p99: number } {
  for (let index = 0; index < Math.min(runs, 500); index++) run();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { median: times[Math.floor(runs / 2)] ?? 0, p99: times[Math.floor(runs * 0.99)] ?? 0 };
}

export const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${whole === 0 ? "–" : ((100 * part) / whole).toFixed(1)} %)`;
