import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { compile } from "./solidity";

/**
 * `npm run contracts`: builds the artifacts and tests the contracts. With --check: fails if an artifact is not what the source
 * compiles to. FOUNDRY_FUZZ_RUNS=10000 runs each fuzz test as often.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
const source = (name: string) => `${root}contracts/src/${name}.sol`;

const names = ["Settler", "MandateVault", "MandateVaultFactory"];
const compiled = compile(Object.fromEntries(names.map((name) => [name, source(name)])), 1_000_000);
const targets = {
  "lib/settlements/relayer/settler.json": compiled.Settler,
  "lib/vaults/contracts.json": { vault: compiled.MandateVault, factory: compiled.MandateVaultFactory },
};
for (const [path, artifact] of Object.entries(targets)) {
  const target = `${root}${path}`;
  if (!process.argv.includes("--check")) {
    writeFileSync(target, JSON.stringify(artifact));
    execFileSync("npx", ["biome", "format", "--write", target]);
  } else if (JSON.stringify(JSON.parse(readFileSync(target, "utf8"))) !== JSON.stringify(artifact)) {
    process.stderr.write(`${path} is not what contracts/src compiles to: npm run contracts\n`);
    process.exit(1);
  }
}
execFileSync(forge(), ["test", "--offline"], { cwd: `${root}contracts`, stdio: "inherit" });

/** The platform package's binary, as npm installed it. */
function forge(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/forge/package.json"));
  return require.resolve(`@foundry-rs/forge-${platform()}-${arch() === "x64" ? "amd64" : arch()}/bin/forge`);
}
