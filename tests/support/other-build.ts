import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ENTRY, NEXT } from "@/dev/local/build";

/**
 * A checkout, already built, that is tested in place of this one when OTHER_BUILD names it: an older one shows which tests
 * fail without what was changed since. Tests that use nothing but HTTP, chains and the database can be run against it.
 */
export const OTHER_BUILD = process.env.OTHER_BUILD ? resolve(process.env.OTHER_BUILD) : null;

/** Arguments of node that run what `npm start` runs in the build under test. */
export const START: readonly string[] = OTHER_BUILD === null ? ENTRY : startIn(OTHER_BUILD);

function startIn(directory: string): readonly string[] {
  const [leash = ""] = ENTRY;
  const ownServer = [join("ops", "server"), "ops"]
    .map((folder) => join(directory, folder, "start.mjs"))
    .find((path) => existsSync(path));
  if (ownServer) return [leash, ownServer];
  const flags = NEXT.filter((argument) => argument.startsWith("--"));
  return [...flags, leash, join(directory, "node_modules", "next", "dist", "bin", "next"), "start"];
}
