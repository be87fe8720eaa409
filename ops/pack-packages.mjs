// The last step of a build: packs the packages into .next, from which GET /tessera-client.tgz and /tessera-firewall.tgz serve them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const BUILD = resolve(".next");
for (const name of ["client", "firewall"]) {
  const directory = mkdtempSync(join(BUILD, `${name}-`));
  // A file whose source is gone would be packed for ever.
  rmSync(resolve("packages", name, "dist"), { recursive: true, force: true });
  try {
    const args = ["pack", "--silent", "--pack-destination", directory];
    execFileSync("npm", args, { cwd: resolve("packages", name), stdio: ["ignore", "ignore", "inherit"] });
    const [archive] = readdirSync(directory);
    if (archive === undefined) throw new Error("npm pack wrote no archive");
    renameSync(join(directory, archive), join(BUILD, `tessera-${name}.tgz`));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
