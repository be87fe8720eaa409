import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Later than every existing migration. */
const WHEN = 9_000_000_000_000;

/**
 * A later version of the service in `directory`: this build with one more migration, whose statements are `sql`. Only the
 * build's list of migrations differs.
 */
export function createNextVersion(directory: string, sql: string): string {
  mkdirSync(directory, { recursive: true });
  const own = new Set([".next", "drizzle", ".git", ".data"]);
  for (const name of readdirSync(".").filter((each) => !own.has(each))) {
    symlinkSync(resolve(name), join(directory, name));
  }
  const isNeeded = (path: string) => !path.startsWith(join(".next", "cache"));
  cpSync(".next", join(directory, ".next"), { recursive: true, filter: isNeeded, verbatimSymlinks: true });
  cpSync("drizzle", join(directory, "drizzle"), { recursive: true });
  rmSync(join(directory, ".next", "tessera-build"), { force: true });

  const journalFile = join(directory, "drizzle", "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(journalFile, "utf8"));
  const entry = { idx: journal.entries.length, version: "7", when: WHEN, tag: "9999_next", breakpoints: true };
  // The build lists all migrations in one file.
  const [{ tag }] = journal.entries;
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  writeFileSync(join(directory, "drizzle", `${entry.tag}.sql`), sql);

  let patched = 0;
  for (const file of chunksIn(join(directory, ".next", "server"))) {
    const text = readFileSync(file, "utf8");
    if (!text.includes(tag)) continue;
    const found = text.split("entries:[{idx:0,").length - 1;
    if (found !== 1) throw new Error(`the list of migrations is ${found} times in ${file}`);
    writeFileSync(file, text.replace("entries:[{idx:0,", `entries:[${JSON.stringify(entry)},{idx:0,`));
    patched++;
  }
  if (patched === 0) throw new Error("the build has no list of migrations");
  return directory;
}

const chunksIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(directory, name));
