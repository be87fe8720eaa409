import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Folders with a package.json of their own, for what only some commands need: `dev/tools` what checks and changes the code,
 * `tests/interop` the clients, sellers and runtimes of others. The first `npm install` brings neither.
 */
export type ExtraFolder = "dev/tools" | "tests/interop";

/** Whether the packages of `folder` are installed as its lock file has them. */
export function arePackagesInstalled(folder: ExtraFolder): boolean {
  const installed = join(folder, "node_modules", ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, "package-lock.json")).mtimeMs;
}

/** Installs the packages of `folder` unless they are there. Throws if npm cannot, for example without a network. */
export function installPackages(folder: ExtraFolder): void {
  if (arePackagesInstalled(folder)) return;
  process.stdout.write(`Installing the packages of ${folder}, as its lock file has them\n`);
  const began = performance.now();
  execFileSync("npm", ["ci", "--loglevel=error"], { cwd: folder, stdio: "inherit" });
  process.stdout.write(`Installed in ${Math.round((performance.now() - began) / 1000)} s\n`);
}

/** Like installPackages, where the caller can go on without them. Returns whether they are there, and says so if not. */
export function tryInstallPackages(folder: ExtraFolder): boolean {
  try {
    installPackages(folder);
    return true;
  } catch (thrown) {
    // Nobody reads the output of a pipeline that is green.
    if (process.env.CI) throw thrown;
    process.stdout.write(`The packages of ${folder} could not be installed: what needs them is skipped\n`);
    return false;
  }
}
