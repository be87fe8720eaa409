import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

const below: Record<string, string[]> = createRequire(import.meta.url)("../../dev/nouns.cjs");

/** What to run for a change: test files or folders of `tests`, specs of the browser; "all" where nothing narrows it. */
export type Touched = { world: string[] | "all"; browser: string[] | "all" };

/** Files that differ from the commit `since`, with those that git does not know yet. */
export function changedFiles(since: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
  return [...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")];
}

/** Everything rests on these. */
const GROUND = [
  /^lib\/(?:core|platform|http|x402|openapi)\/|^packages\/x402\//,
  /^lib\/[\w-]+\.ts$/,
  /^(?:ops\/server|tests\/support|dev\/local|dev\/actors|drizzle)\//,
  // package.json, next.config.ts, proxy.ts, instrumentation.ts and the like.
  /^[^/]+\.(?:json|ts|mjs|cjs)$/,
];
const PAGES = /^(?:app|components|pages)\//;

/** Tests of folders that are no noun. */
const OTHERS: readonly [folder: string, tests: readonly string[]][] = [
  ["docs/", ["tests/docs/", "tests/interop/snippets.test.ts"]],
  ["packages/client/", ["tests/client/", "tests/interop/"]],
  ["packages/firewall/", ["tests/firewall/", "tests/interop/firewall-"]],
  ["contracts/", ["tests/vaults/"]],
  ["lib/vaults/", ["tests/vaults/"]],
  ["lib/mcp/", ["tests/mcp/"]],
];

/** The tests of a noun are in a folder of its name; a noun is touched by changes of those that it may import. */
export function touchedBy(changes: readonly string[]): Touched {
  // The unit tests read what is written beside the code.
  const files = changes.filter((file) => !file.endsWith("/README.md"));
  const specs = readdirSync("tests/e2e").filter((name) => name.endsWith(".spec.ts"));
  if (files.some((file) => GROUND.some((pattern) => pattern.test(file)))) return { world: "all", browser: "all" };
  const changed = files.flatMap((file) => /^lib\/([\w-]+)\//.exec(file)?.[1] ?? []);
  const folders = [...new Set([...changed, ...changed.flatMap(nounsAbove)])];
  const tests = files.filter((file) => /^tests\/(?!e2e).*\.test\.ts$/.test(file));
  const isOfPages = files.some((file) => PAGES.test(file));
  const others = OTHERS.filter(([folder]) => files.some((file) => file.startsWith(folder))).flatMap(
    ([, paths]) => paths,
  );
  const world = [
    ...new Set([
      ...folders.map((folder) => `tests/${folder}/`),
      ...tests,
      ...others,
      ...(isOfPages ? ["tests/http/"] : []),
    ]),
  ];
  const words = new Set([...folders, ...files.flatMap(wordsOfPage)].map((word) => word.replace(/s$/, "")));
  const browser = specs.filter(
    (name) => files.includes(`tests/e2e/${name}`) || [...words].some((word) => name.includes(word)),
  );
  if (isOfPages) browser.push("every-page.spec.ts");
  return { world, browser: [...new Set(browser)].map((name) => `tests/e2e/${name}`) };
}

/** Those that may import `noun`, also through others. */
function nounsAbove(noun: string): string[] {
  const above = Object.keys(below).filter((other) => below[other]?.includes(noun));
  return [...new Set([...above, ...above.flatMap(nounsAbove)])];
}

/** The folders that a page or a component is in: `components/approvals/together.tsx` is of approvals. */
const wordsOfPage = (file: string): string[] =>
  PAGES.test(file)
    ? file
        .split("/")
        .slice(1, -1)
        .filter((word) => /^[a-z]{4,}$/.test(word))
    : [];
