// Removes from node_modules what a server does not read. As the script `postinstall`, where development packages are left out: what only
// editors read. As a step of the Dockerfile, with a directory as its argument: also what only the build reads.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Compilers, what the build has put into .next, and what Next installs for its image optimizer, which is off: nothing here decodes
 * images with native code.
 */
const BUILD_ONLY = /^(?:@img|sharp|@next\/swc-.+|typescript|@tailwindcss\/.+|tailwindcss|lightningcss.*|lucide-react)$/;
/** Source maps and declarations. */
const FOR_EDITORS = /\.(?:map|d\.[cm]?ts)$/;
/** Their declarations are read by the build: it compiles packages/, and Next looks for `@types`. */
const HAS_TYPES =
  /(?:^|\/)node_modules\/(?:@noble|@scure|@types|abitype|csstype|eventemitter3|ox|typescript|undici-types|viem)\//;

/** @param {string} directory a node_modules directory */
export function stripPackages(directory) {
  for (const name of packagesIn(directory)) {
    if (BUILD_ONLY.test(name)) rmSync(join(directory, name), { recursive: true });
  }
  removeFiles(directory, (path) => FOR_EDITORS.test(path));
}

/**
 * Whether the build and the server do without a file of node_modules.
 *
 * @param {string} path
 */
export const isForEditors = (path) => FOR_EDITORS.test(path) && (path.endsWith(".map") || !HAS_TYPES.test(path));

/**
 * Symbolic links are not followed: they lead to the sources in packages/. A recursive readdir of newer releases of Node follows them.
 *
 * @param {string} directory @param {(path: string) => boolean} isLeftOut
 */
function removeFiles(directory, isLeftOut) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) removeFiles(path, isLeftOut);
    else if (entry.isFile() && isLeftOut(path)) rmSync(path);
  }
}

/** @param {string} directory */
const packagesIn = (directory) =>
  readdirSync(directory).flatMap((name) =>
    name.startsWith("@") && name !== "@img"
      ? readdirSync(join(directory, name)).map((inner) => `${name}/${inner}`)
      : [name],
  );

const [, script, target] = process.argv;
if (script?.endsWith("strip-packages.mjs")) {
  if (target) stripPackages(target);
  else if (!existsSync(join("node_modules", "vitest"))) removeFiles("node_modules", isForEditors);
}
