import { readdirSync } from "node:fs";
import { join } from "node:path";

const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist", "test-results", "playwright-report"]);

/** Files of the repository whose names end with one of `endings`, except installed and built ones. */
export function listFiles(endings: readonly string[], folder = "."): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return LEFT_OUT.has(entry.name) || entry.name.startsWith(".") ? [] : listFiles(endings, path);
      }
      return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
    })
    .sort();
}
