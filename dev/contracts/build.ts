import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keccak256 } from "viem";
import { z } from "zod";
import { installPackages } from "../local/extra-packages";
import { hasSolver, proveModel, proveNoMutant } from "./prove";

/**
 * `npm run contracts`: builds the artifacts, lints and tests the contracts, and measures their gas. `--check` fails if an artifact
 * differs from its source, or if gas changed; where z3 is installed, it also proves the model. `--fuzz-runs 10000` sets the runs per
 * fuzz test. `--prove` only proves the model, and that its mutants cannot be proved.
 */
const { values: flags } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    prove: { type: "boolean", default: false },
    "fuzz-runs": { type: "string", default: "256" },
  },
});
const fuzzRuns = z.coerce.number().int().min(1).parse(flags["fuzz-runs"]);
const root = fileURLToPath(new URL("../../", import.meta.url));
const tools = `${root}dev/tools/node_modules/`;
const source = (name: string) => `${root}contracts/src/${name}.sol`;

installPackages("dev/tools");
if (flags.prove) {
  if (!hasSolver()) {
    process.stderr.write("z3 is missing: install your system's package z3 (Debian: apt-get install z3)\n");
    process.exit(1);
  }
  proveModel(say);
  proveNoMutant(say);
  process.exit(0);
}
const { compile } = await import("../tools/solidity");
/** `folder`: of the version's sources, in contracts/src. */
const vaultsOf = (folder: string) => {
  const names = { vault: "MandateVault", factory: "MandateVaultFactory" };
  const files = Object.fromEntries(Object.values(names).map((name) => [name, source(`${folder}${name}`)]));
  const { [names.vault]: vault, [names.factory]: factory } = compile(files, 1_000_000);
  return { vault, factory };
};
const FIRST = "lib/vaults/contracts-v1.json";
const targets = {
  "lib/settlements/relayer/settler.json": compile({ Settler: source("Settler") }, 1_000_000).Settler,
  [FIRST]: vaultsOf("v1/"),
  "lib/vaults/contracts.json": vaultsOf(""),
};
for (const [path, artifact] of Object.entries(targets)) {
  const target = `${root}${path}`;
  // Vaults of the first version are on the chain: it never changes.
  if (!flags.check && path !== FIRST) {
    writeFileSync(target, JSON.stringify(artifact));
    execFileSync(`${tools}.bin/biome`, ["format", "--write", target]);
  } else if (JSON.stringify(JSON.parse(readFileSync(target, "utf8"))) !== JSON.stringify(artifact)) {
    process.stderr.write(`${path} differs from the compiled contracts/src; run npm run contracts\n`);
    process.exit(1);
  }
}
const deployment = await clientDeployment();
if (!flags.check) writeFileSync(deployment.path, deployment.text);
else if (readFileSync(deployment.path, "utf8") !== deployment.text) {
  process.stderr.write(`${deployment.path} belongs to other contracts; run npm run contracts\n`);
  process.exit(1);
}

// Uses a separate cache: otherwise forge would later test only the files that the linter compiled.
run("lint", "--deny", "warnings", "--out", "../.data/forge/lint/out", "--cache-path", "../.data/forge/lint/cache");
run("test", "--no-match-contract", "^Gas$", "--fuzz-runs", String(fuzzRuns));
// `--isolate` runs each call as a separate transaction.
run("test", "--match-contract", "^Gas$", "--isolate", `--gas-snapshot-${flags.check ? "check" : "emit"}`, "true");
if (flags.check && hasSolver()) proveModel(say, { onlyAssertions: true });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function run(...args: string[]): void {
  execFileSync(forge(), [...args, "--offline"], { cwd: `${root}contracts`, stdio: "inherit" });
}

/** The contract constants for the client. Imported after the artifacts are written. */
async function clientDeployment(): Promise<{ path: string; text: string }> {
  const { VAULT_CONTRACTS } = await import("@/lib/vaults/contracts");
  const versions = Object.entries(VAULT_CONTRACTS).map(([version, { factory, implementation }]) =>
    [
      `  ${version}: {`,
      `    factory: "${factory.address}",`,
      `    implementation: "${implementation.address}",`,
      `    implementationHash: "${keccak256(implementation.code)}",`,
      "  },",
    ].join("\n"),
  );
  const head =
    "// Written by `npm run contracts`. The same on every network; `implementationHash` is the keccak-256 of the code.\n";
  const text = `${head}export const VAULT_CONTRACTS = {\n${versions.join("\n")}\n} as const;\n`;
  return { path: `${root}packages/client/src/vault/deployment.ts`, text };
}

/** The binary in the platform's npm package. */
function forge(): string {
  const require = createRequire(`${tools}@foundry-rs/forge/package.json`);
  return require.resolve(`@foundry-rs/forge-${platform()}-${arch() === "x64" ? "amd64" : arch()}/bin/forge`);
}
