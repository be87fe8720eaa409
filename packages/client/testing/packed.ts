import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export type Project = { directory: string; packed: string; remove: () => void };

/** An empty project outside the repository, with the packed package installed: from `url`, or else without a network. */
export function installPacked(url?: string): Project {
  const directory = mkdtempSync(join(tmpdir(), "tessera-client-"));
  const run = (cwd: string, ...args: string[]) => execFileSync("npm", args, { cwd, stdio: "pipe" });
  if (url === undefined) run(resolve(import.meta.dirname, ".."), "pack", "--silent", "--pack-destination", directory);
  const [archive = ""] = readdirSync(directory).filter((name) => name.endsWith(".tgz"));
  const source = url === undefined ? [`./${archive}`, "--offline"] : [url];
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  run(directory, "install", ...source, "--no-audit", "--no-fund");
  return {
    directory,
    packed: join(directory, "node_modules", "@tessera", "client"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
