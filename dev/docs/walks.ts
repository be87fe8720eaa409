import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** A file that a step names, and the functions of it that the step names. */
type Named = { file: string; functions: readonly string[] };
/** The files of a step; the first is the step's subject. */
type Step = readonly Named[];

const FILE = /^[\w@.()[\]/-]+\/[\w.()[\]-]+\.(?:ts|tsx|mjs)$/;
const FUNCTION = /^[A-Za-z_]\w*$/;

/** The walks of a page: the numbered lists below headings with the word "walk". */
export function walksIn(markdown: string): Step[][] {
  const sections = markdown.split(/^(?=##)/m);
  return sections.filter((section) => /^##+ .*\bwalk\b/i.test(section)).map(stepsIn);
}

const stepsIn = (section: string): Step[] =>
  section
    .split(/^(?=\d+\. )/m)
    .slice(1)
    // A step ends with its first paragraph.
    .map((text) => namedIn(text.split("\n\n")[0] ?? ""));

/** A word in backticks is a function of the preceding file. */
function namedIn(text: string): Step {
  const named: { file: string; functions: string[] }[] = [];
  for (const [, span = ""] of text.matchAll(/`([^`]+)`/g)) {
    if (FILE.test(span)) named.push({ file: span, functions: [] });
    else if (FUNCTION.test(span)) named.at(-1)?.functions.push(span);
  }
  return named;
}

/** Contradictions between a walk and the code: missing files and functions, and steps that do not lead to the next one. */
export function faultsOf(walk: readonly Step[]): string[] {
  const missing = walk.flat().flatMap(({ file, functions }) => {
    if (!existsSync(file)) return [`${file} does not exist`];
    return functions.filter((name) => !declares(file, name)).map((name) => `${file} has no ${name}`);
  });
  if (missing.length > 0) return missing;
  return walk.slice(1).flatMap((next, index) => {
    const [target] = next;
    const from = walk[index] ?? [];
    if (!target || from.length === 0) return [`step ${index + 1} or ${index + 2} names no file`];
    const leads = from.some(({ file }) => importsOf(file).includes(target.file));
    return leads ? [] : [`step ${index + 1} (${from[0]?.file}) does not import ${target.file}`];
  });
}

const declares = (file: string, name: string): boolean =>
  new RegExp(`^(?:export )?(?:(?:async )?function|const) ${name}\\b`, "m").test(readFileSync(file, "utf8"));

/** Repository files that `file` imports or re-exports from, except type-only imports. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;"]*?from "([^"]+)"/gm)].map(
    ([, name = ""]) => {
      if (name.startsWith("@/")) return `${name.slice(2)}.ts`;
      return name.startsWith(".") ? `${posix.join(posix.dirname(file), name)}.ts` : name;
    },
  );
