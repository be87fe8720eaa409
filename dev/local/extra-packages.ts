import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Folders with their own package.json, whose packages only some commands need: `dev/tools` for checking and changing the code,
 * `tests/interop` for third-party clients, sellers and runtimes. The root's `npm install` skips both.
 */
export type ExtraFolder = "dev/tools" | "tests/interop";

/** Whether the packages of `folder` are installed as in its lock file. */
export function arePackagesInstalled(folder: ExtraFolder): boolean {
  const installed = join(folder, "node_modules", ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, "package-lock.json")).mtimeMs;
}

/** Installs the packages of `folder` unless they are present. Throws if npm fails, for example without a network. */
export function installPackages(folder: ExtraFolder): void {
  if (arePackagesInstalled(folder)) return;
  process.stdout.write(`Installing the packages of ${folder}, as its lock file has them\n`);
  const began = performance.now();
  execFileSync("npm", ["ci", "--loglevel=error"], { cwd: folder, stdio: "inherit" });
  process.stdout.write(`Installed in ${Math.round((performance.now() - began) / 1000)} s\n`);
}

/** Installs packages that the caller can do without. Returns whether they are present; prints a message if not. */
export function tryInstallPackages(folder: ExtraFolder): boolean {
  try {
    installPackages(folder);
    return true;
  } catch (error) {
    // In CI a skipped step would go unnoticed.
    if (process.env.CI) throw error;
    process.stdout.write(`The packages of ${folder} could not be installed: what needs them is skipped\n`);
    return false;
  }
}
