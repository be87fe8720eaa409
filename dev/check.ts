import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { tryInstallPackages } from "./local/extra-packages";

/**
 * `npm run check`: style, types, boundaries, contracts and the tests of rules, in two lanes, since most use one core. Runs all of
 * them and reports all failures. `--changed <commit>` runs only the rule tests that files changed since that commit affect.
 */
const { values: flags } = parseArgs({ options: { changed: { type: "string" } } });
const reached = flags.changed === undefined ? [] : ["--changed", flags.changed, "--passWithNoTests"];

type Part = { name: string; command: string; args: readonly string[]; tools?: true };

// TypeScript 7 type-checks in a fifth of the time. Next and tools that read the code's structure need the older API.
const TYPES: Part = { name: "types", command: "dev/tools/node_modules/.bin/tsc", args: ["--noEmit"], tools: true };
const BOUNDARIES: Part = {
  name: "boundaries",
  command: "depcruise",
  args: ["--config", ".dependency-cruiser.cjs", "app", "components", "lib", "dev", "ops", "packages", "pages"],
};
const STYLE: Part = { name: "style", command: "dev/tools/node_modules/.bin/biome", args: ["check", "."], tools: true };
const CONTRACTS: Part = { name: "contracts", command: "tsx", args: ["dev/contracts/build.ts", "--check"], tools: true };
const RULES: Part = { name: "rules", command: "vitest", args: ["run", "--project", "unit", ...reached] };

const hasTools = tryInstallPackages("dev/tools");
const failed: string[] = [];
const lanes = [[STYLE, TYPES, BOUNDARIES, CONTRACTS], [RULES]];
await Promise.all(lanes.map(runLane));
if (failed.length > 0) process.stderr.write(`\n✗ npm run check: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runLane(parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    if (part.tools && !hasTools) process.stdout.write(`– ${part.name}: skipped\n`);
    else await run(part);
  }
}

async function run({ name, command, args }: Part): Promise<void> {
  process.stdout.write(`… ${name}\n`);
  const began = performance.now();
  const { code, output } = await ended(command, args);
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(`${output}${code === 0 ? "✓" : "✗"} ${name}: ${seconds} s\n`);
  if (code !== 0) failed.push(name);
}

/** Collects the output, because two commands run concurrently. */
function ended(command: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}
