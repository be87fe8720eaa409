import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";

/**
 * `npm run nodes`: installs, checks and builds a clean clone of the last commit with the oldest release of each Node version that
 * package.json allows. `--only 22` selects one version, `--test` runs all tests instead of check and build.
 */
const { values: flags } = parseArgs({ options: { only: { type: "string" }, test: { type: "boolean" } } });

const manifest = z.object({ engines: z.object({ node: z.string() }) });
const { engines } = manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
/** Lower bounds, which are complete versions: `>=22.22.2 <23`. */
const releases = [...engines.node.matchAll(/>=(\d+\.\d+\.\d+)/g)].map(([, release = ""]) => release);
const steps = flags.test
  ? [["test"]]
  : [
      ["run", "check"],
      ["run", "build"],
    ];

for (const release of releases.filter((name) => name.startsWith(flags.only ?? ""))) {
  const directory = mkdtempSync(join(tmpdir(), "tessera-node-"));
  try {
    process.stdout.write(`\n━━ Node ${release}\n\n`);
    // npm provides Node's binaries as packages.
    execFileSync("npm", ["install", "--no-save", "--prefix", directory, `node@${release}`], { stdio: "inherit" });
    const clone = join(directory, "clone");
    execFileSync("git", ["clone", "--quiet", process.cwd(), clone], { stdio: "inherit" });
    const PATH = [join(directory, "node_modules", "node", "bin"), process.env.PATH].join(delimiter);
    const run = (...args: string[]) =>
      execFileSync("npm", args, { cwd: clone, stdio: "inherit", env: { ...process.env, PATH } });
    run("ci");
    for (const step of steps) run(...step);
    process.stdout.write(`\n✓ Node ${release}\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
