import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PACKAGE, SERVICE } from "@/ops/compile-lib";

/** Later than every existing migration. */
const WHEN = 9_000_000_000_000;

/**
 * A later version of the service in `directory`: this build with one more migration, whose statements are `sql`. Only the
 * build's list of migrations differs.
 */
export function createNextVersion(directory: string, sql: string): string {
  link(".", directory, [".next", "drizzle", ".git", ".data", "node_modules"]);
  link("node_modules", join(directory, "node_modules"), ["@tessera"]);
  link(dirname(PACKAGE), join(directory, dirname(PACKAGE)), [basename(PACKAGE)]);
  cpSync(PACKAGE, join(directory, PACKAGE), { recursive: true });
  const isNeeded = (path: string) => !path.startsWith(join(".next", "cache"));
  cpSync(".next", join(directory, ".next"), { recursive: true, filter: isNeeded, verbatimSymlinks: true });
  cpSync("drizzle", join(directory, "drizzle"), { recursive: true });
  rmSync(join(directory, ".next", "tessera-build"), { force: true });

  const journalFile = join(directory, "drizzle", "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(journalFile, "utf8"));
  const entry = { idx: journal.entries.length, version: "7", when: WHEN, tag: "9999_next", breakpoints: true };
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  writeFileSync(join(directory, "drizzle", `${entry.tag}.sql`), sql);

  const file = join(directory, SERVICE);
  const text = readFileSync(file, "utf8");
  const list = /entries: \[\s*\{\s*idx: 0,/g;
  const found = text.match(list)?.length;
  if (found !== 1) throw new Error(`the list of migrations is ${found ?? 0} times in ${file}`);
  writeFileSync(file, text.replace(list, `entries: [${JSON.stringify(entry)}, { idx: 0,`));
  return directory;
}

/** Links everything in `from`, except what is in `own`, to a new directory `to`. */
function link(from: string, to: string, own: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (!own.includes(name)) symlinkSync(resolve(from, name), join(to, name));
}
