import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Makes equal scripts of a directory one file, and returns how many bytes that saved. Others keep their names and contents. */
export function shareEqualScripts(/** @type {string} */ directory) {
  /** @type {Map<string, string>} */
  const first = new Map();
  let saved = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isFile() || !entry.name.endsWith(".js")) continue;
    const path = join(directory, entry.name);
    const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
    const known = first.get(hash);
    if (known === undefined) {
      first.set(hash, entry.name);
      continue;
    }
    saved += statSync(path).size;
    unlinkSync(path);
    // Relative, so that the build can be moved.
    symlinkSync(known, path);
  }
  return saved;
}
