import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shareEqualScripts } from "./equal-scripts.mjs";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tessera-chunks-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
};
const read = (name: string) => readFileSync(join(directory, name), "utf8");
const isLink = (name: string) => lstatSync(join(directory, name)).isSymbolicLink();

test("equal scripts become one file, and every name still has its content", () => {
  write({ "a.js": "same", "b.js": "same", "c.js": "other", "d.js": "same" });
  expect(shareEqualScripts(directory)).toBe(8);
  expect(["a.js", "b.js", "c.js", "d.js"].map((name) => [read(name), isLink(name)])).toEqual([
    ["same", false],
    ["same", true],
    ["other", false],
    ["same", true],
  ]);
  expect(readlinkSync(join(directory, "b.js"))).toBe("a.js");
});

test("what is no script, and what is shared already, stays", () => {
  write({ "a.js": "same", "b.js": "same", "a.map": "map", "b.map": "map" });
  shareEqualScripts(directory);
  expect(shareEqualScripts(directory)).toBe(0);
  expect(readdirSync(directory).filter(isLink)).toEqual(["b.js"]);
});
