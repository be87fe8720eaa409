// A step of the Dockerfile: removes from the node_modules of its argument what a running service does not read.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Compilers, what the build has put into .next, and what Next installs for its image optimizer, which is off: nothing here decodes
 * images with native code.
 */
const BUILD_ONLY = /^(?:@img|sharp|@next\/swc-.+|typescript|@tailwindcss\/.+|tailwindcss|lightningcss.*|lucide-react)$/;
/** Source maps and declarations. */
const FOR_EDITORS = /\.(?:map|d\.[cm]?ts)$/;

/** @param {string} directory a node_modules directory */
export function stripPackages(directory) {
  for (const name of packagesIn(directory)) {
    if (BUILD_ONLY.test(name)) rmSync(join(directory, name), { recursive: true });
  }
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && FOR_EDITORS.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
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
if (script?.endsWith("strip-packages.mjs") && target) stripPackages(target);
