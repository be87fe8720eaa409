#!/usr/bin/env node
// The command line that forge expects of a Solidity compiler, served by the npm package "solc".
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const solc = createRequire(new URL("../dev/tools/package.json", import.meta.url))("solc");

if (process.argv.includes("--version")) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else if (process.argv.includes("--standard-json")) {
  // Forge leaves out what files of node_modules import by relative paths.
  const imported = (path) => ({ contents: readFileSync(new URL(path, import.meta.url), "utf8") });
  process.stdout.write(solc.compile(readFileSync(0, "utf8"), { import: imported }));
} else {
  process.stderr.write(`not supported: ${process.argv.slice(2).join(" ")}\n`);
  process.exitCode = 1;
}
