import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nextBuild, type Say, SETTINGS, SOURCES } from "../local/build";
import { MUTANTS } from "./mutants";
import type { Mutant } from "./patches";

const VARIABLE = "SIMULATED_MUTANT";

/** Environment that enables one mutant on a server. */
export const environmentOf = ({ name }: Mutant): Record<string, string> => ({ [VARIABLE]: name });

/** Throws if no mutant has that name. */
export function mutantNamed(name: string): Mutant {
  const match = MUTANTS.find((mutant) => mutant.name === name);
  if (!match)
    throw new Error(`there is no mutant "${name}". There are: ${MUTANTS.map((each) => each.name).join("; ")}`);
  return match;
}

/** The source with all mutants of its file; each is off until the environment names it. Throws unless every `find` occurs exactly once. */
export function mutated(file: string, source: string): string {
  let text = source;
  for (const { name, patches } of MUTANTS) {
    for (const { find, put } of patches.filter((patch) => patch.file === file)) {
      const pieces = source.split(find).length - 1;
      if (pieces !== 1)
        throw new Error(`mutant "${name}": expected one occurrence in ${file}, found ${pieces}: ${find}`);
      text = text.replace(find, () => put.replaceAll("$M", `(process.env.${VARIABLE} === ${JSON.stringify(name)})`));
    }
  }
  return text;
}

export const mutatedFiles = (): string[] => [
  ...new Set(MUTANTS.flatMap(({ patches }) => patches.map(({ file }) => file))),
];

/** Builds one copy of the sources with every mutant; the server's environment selects one. Returns the directory. */
export async function buildMutants(say: Say, signal: AbortSignal): Promise<string> {
  const directory = join(".data", "mutants");
  mkdirSync(directory, { recursive: true });
  const stamp = join(directory, ".next", "mutants");
  const hash = createHash("sha256");
  for (const path of [...SOURCES, ...SETTINGS, "ops", "package.json"]) {
    rmSync(join(directory, path), { recursive: true, force: true });
    if (existsSync(path)) cpSync(path, join(directory, path), { recursive: true });
  }
  rmSync(join(directory, "lib", "dev"), { recursive: true, force: true });
  for (const file of mutatedFiles()) {
    const text = mutated(file, readFileSync(file, "utf8"));
    writeFileSync(join(directory, file), text);
  }
  // Hashes names and contents in a stable order.
  const files = execFileSync(
    "find",
    // Excludes build output.
    [
      ".",
      "-type",
      "f",
      ...["./.next/*", "*/node_modules/*", "./next-env.d.ts"].flatMap((path) => ["-not", "-path", path]),
    ],
    {
      cwd: directory,
      encoding: "utf8",
    },
  );
  for (const file of files.split("\n").filter(Boolean).sort())
    hash.update(`${file}\0`).update(readFileSync(join(directory, file)));
  const sources = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return directory;
  say(`Building a copy with ${MUTANTS.length} mutants`);
  rmSync(join(directory, "node_modules"), { recursive: true, force: true });
  // Hard links instead of copies, at the paths where the bundler expects the packages.
  execFileSync("cp", ["-al", "node_modules", directory]);
  await nextBuild(say, signal, directory);
  writeFileSync(stamp, sources);
  return directory;
}
