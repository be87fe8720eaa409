import { pathToFileURL } from "node:url";

/**
 * `node leash.mjs <program> …` runs a Node program that ends with its parent: when the parent ends, stdin closes. A plain module,
 * because the program's own children would inherit Node flags.
 */
process.stdin.resume().once("end", () => process.kill(process.pid, "SIGTERM"));
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? "").href);
