import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "tessera-start-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the command of `npm start` after `preload`; it must end before it opens anything. */
function start(preload: string) {
  const file = join(directory, "preload.cjs");
  writeFileSync(file, preload);
  const { status, stderr } = spawnSync(process.execPath, ["--require", file, "ops/server/start.mjs"], {
    encoding: "utf8",
    timeout: 20_000,
    env: { NODE_ENV: "production", PATH: process.env.PATH, MODE: "production" },
  });
  return { status, stderr };
}

test("the start is refused on a Node without the needed fixes, and the error names the versions to use", () => {
  const { status, stderr } = start('Object.defineProperty(process, "version", { value: "v22.12.0" });');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Node v22\.12\.0 lacks security fixes.*>=22\.22\.2.*\n$/);
});

test("the start is refused without the compiled module for signatures, and the error says what to do", () => {
  const { status, stderr } = start(`
    const { Module } = require("node:module");
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (name, ...rest) {
      if (/node-gyp-build/.test(name)) throw new Error("No native build was found");
      return resolve.call(this, name, ...rest);
    };`);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^The compiled code of the package secp256k1 is missing .*npm rebuild secp256k1\n$/);
});
