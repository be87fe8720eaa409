// A step of a build. Turbopack writes the modules that routes share once for each route, as equal files with other names, and Node
// keeps the source of every file that it loads: 390 MB of memory. Equal files become links to one.
import { join } from "node:path";
import { shareEqualScripts } from "./equal-scripts.mjs";

const chunks = join(process.argv[2] ?? ".", ".next", "server", "chunks");
let saved = 0;
for (const directory of [chunks, join(chunks, "ssr")]) saved += shareEqualScripts(directory);
process.stdout.write(`Equal scripts of the server are one file: ${Math.round(saved / 1e6)} MB less\n`);
