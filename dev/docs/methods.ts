import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes ops/server/methods.json: the methods of every route, from the exports of its route.ts. */

export const METHODS_FILE = "ops/server/methods.json";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** URLs that a route handler shares with a page (next.config.ts). */
const SHARED: Record<string, string[]> = { "/pay/{linkId}": ["GET"], "/receipt/{settlementId}": ["GET"] };

/** The content of the file. */
export function methodsText(): string {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("route.ts"));
  const routes = files.map((file) => [pathOf(file), methodsIn(readFileSync(join("app", file), "utf8"))] as const);
  const table = Object.entries({ ...Object.fromEntries(routes), ...SHARED }).sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = table.map(([path, methods]) => `  "${path}": [${methods.map((method) => `"${method}"`).join(", ")}]`);
  return `{\n${rows.join(",\n")}\n}\n`;
}

const pathOf = (file: string): string =>
  `/${file}`.replace(/\/route\.ts$|\/\([^)]*\)/g, "").replace(/\[+([^\]]+)\]+/g, "{$1}");

const methodsIn = (source: string): string[] => {
  const exported = source.match(/^export .*$/gm) ?? [];
  return METHODS.filter((method) => exported.some((line) => new RegExp(`\\b${method}\\b`).test(line)));
};

if (import.meta.filename === process.argv[1]) writeFileSync(METHODS_FILE, methodsText());
