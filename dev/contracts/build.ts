import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { compile } from "./solidity";

/** `npm run contracts`: builds the settler's artifact and tests the contract. With --check: fails if the artifact is not what the source compiles to. */
const root = fileURLToPath(new URL("../../", import.meta.url));
const target = `${root}lib/settlements/relayer/settler.json`;

const { Settler } = compile({ Settler: `${root}contracts/src/Settler.sol` }, 1_000_000);
if (process.argv.includes("--check")) {
  if (JSON.stringify(JSON.parse(readFileSync(target, "utf8"))) !== JSON.stringify(Settler)) {
    process.stderr.write(
      "lib/settlements/relayer/settler.json is not what contracts/src compiles to: npm run contracts\n",
    );
    process.exit(1);
  }
} else {
  writeFileSync(target, JSON.stringify(Settler));
  execFileSync("npx", ["biome", "format", "--write", target]);
}
execFileSync(forge(), ["test", "--offline"], { cwd: `${root}contracts`, stdio: "inherit" });

/** The platform package's binary, as npm installed it. */
function forge(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/forge/package.json"));
  return require.resolve(`@foundry-rs/forge-${platform()}-${arch() === "x64" ? "amd64" : arch()}/bin/forge`);
}
