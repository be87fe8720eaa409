import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ENTRY, NEXT } from "@/dev/local/build";

/**
 * A built checkout that is tested instead of this one, from OTHER_BUILD. An older one shows which tests fail without later
 * changes. Only tests that use nothing but HTTP, chains and the database can run against it.
 */
export const OTHER_BUILD = process.env.OTHER_BUILD ? resolve(process.env.OTHER_BUILD) : null;

/** Node arguments that run the command of `npm start` in the build under test. */
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
