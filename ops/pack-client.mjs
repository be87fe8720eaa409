// The last step of a build: packs packages/client next to the pages, where GET /tessera-client.tgz reads it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const BUILD = resolve(".next");
const directory = mkdtempSync(join(BUILD, "client-"));
try {
  const args = ["pack", "--silent", "--pack-destination", directory];
  execFileSync("npm", args, { cwd: resolve("packages", "client"), stdio: ["ignore", "ignore", "inherit"] });
  const [archive] = readdirSync(directory);
  if (archive === undefined) throw new Error("npm pack wrote no archive");
  renameSync(join(directory, archive), join(BUILD, "tessera-client.tgz"));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
