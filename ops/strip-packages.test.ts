import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { arePackagesInstalled } from "@/dev/local/extra-packages";
import { isForEditors } from "./strip-packages.mjs";

const SCRIPT = resolve("ops/strip-packages.mjs");
const FILES = ["next/server.js", "next/server.js.map", "next/server.d.ts", "viem/index.d.ts", "viem/index.js.map"];
let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "strip-"));
  for (const file of FILES) write(file);
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(file: string): void {
  const path = join(directory, "node_modules", file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
}

/** The files that the script `postinstall` leaves. */
function filesAfterInstall(): string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts.postinstall).toBe("node ops/strip-packages.mjs");
  execFileSync(process.execPath, [SCRIPT], { cwd: directory });
  return FILES.filter((file) => existsSync(join(directory, "node_modules", file)));
}

test("an installation for production has no source maps, and only the declarations that the build reads", () => {
  expect(filesAfterInstall()).toEqual(["next/server.js", "viem/index.d.ts"]);
});

test("what a package of this repository links to keeps all files", () => {
  const source = join(directory, "packages/own/index.d.ts");
  mkdirSync(dirname(source), { recursive: true });
  writeFileSync(source, "");
  symlinkSync(dirname(source), join(directory, "node_modules/own"));
  filesAfterInstall();
  expect(existsSync(source)).toBe(true);
});

test("an installation with development packages keeps all files", () => {
  write("vitest/package.json");
  expect(filesAfterInstall()).toEqual(FILES);
});

describe.skipIf(!arePackagesInstalled("dev/tools"))("packing reads no file that is left out", () => {
  test.each(["client", "firewall"])("of packages/%s", (name) => {
    const args = ["-p", `packages/${name}/tsconfig.build.json`, "--listFilesOnly"];
    const files = execFileSync("dev/tools/node_modules/.bin/tsc", args, { encoding: "utf8" }).split("\n");
    const packaged = files.map((file) => relative(".", file)).filter((file) => file.startsWith("node_modules/"));
    expect(packaged.length).toBeGreaterThan(0);
    expect(packaged.filter(isForEditors)).toEqual([]);
  });
});
