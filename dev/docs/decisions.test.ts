import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listFiles } from "./repository";

const DECISIONS = "docs/decisions.md";
const DECISIONS_MAX = 60;
const PACKAGES = [
  ".",
  "dev/tools",
  "tests/interop",
  "packages/client",
  "packages/firewall",
  "packages/firewall/bench/peers",
  "packages/x402",
];

const page = readFileSync(DECISIONS, "utf8");
const [decisionsText = "", dependenciesText = ""] = page.split("## Dependencies");
const decisions = decisionsText
  .split(/^(?=\*\*\d+ · )/m)
  .slice(1)
  .map((text) => ({
    number: Number(/^\*\*(\d+) · \d{4}-\d\d-\d\d · /.exec(text)?.[1]),
    // The next section's heading may follow.
    file: /\(([^()\s]+)\)\s*(?:## .*\s*)?$/.exec(text)?.[1] ?? "",
  }));

/** The numbers of the decisions that a file points to. */
const pointersIn = (file: string): number[] =>
  [...readFileSync(file, "utf8").matchAll(/docs\/decisions\.md, (\d+)/g)].map(([, number]) => Number(number));

test(`there are at most ${DECISIONS_MAX} decisions, each with a unique number`, () => {
  expect(decisions.length).toBeGreaterThan(0);
  expect(decisions.length).toBeLessThanOrEqual(DECISIONS_MAX);
  expect(decisions.filter(({ number }) => Number.isNaN(number))).toEqual([]);
  expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length);
});

test("each decision names an existing file that points back to it", () => {
  const lost = decisions.filter(({ number, file }) => !existsSync(file) || !pointersIn(file).includes(number));
  expect(lost).toEqual([]);
});

test("every pointer to a decision names an existing one", () => {
  const numbers = new Set(decisions.map(({ number }) => number));
  const files = listFiles([".ts", ".tsx", ".mjs", ".cjs", ".sol", ".css", ".md"]).filter((file) => file !== DECISIONS);
  const broken = files.flatMap((file) =>
    pointersIn(file).flatMap((number) => (numbers.has(number) ? [] : `${file}: ${number}`)),
  );
  expect(broken).toEqual([]);
});

test("the table of dependencies lists exactly the packages", () => {
  const cells = [...dependenciesText.matchAll(/^\| ([^|]+) \|/gm)].slice(1).map(([, cell = ""]) => cell);
  const told = cells.flatMap((cell) =>
    cell
      .replace(/\(.*\)/, "")
      .split(",")
      .map((name) => name.trim()),
  );
  const used = PACKAGES.flatMap((folder) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const covers = (name: string, used: string) =>
    name.endsWith("*") ? used.startsWith(name.slice(0, -1)) : used === name;
  expect(used.filter((each) => !told.some((name) => covers(name, each)))).toEqual([]);
  expect(told.filter((name) => !used.some((each) => covers(name, each)))).toEqual([]);
});
