import { pathToFileURL } from "node:url";

/**
 * `node leash.mjs <program> …` runs a node program that ends with its parent: when the parent ends, the pipe on stdin breaks. A
 * plain module, because node flags would be inherited by the program's own children.
 */
process.stdin.resume().once("end", () => process.kill(process.pid, "SIGTERM"));
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? "").href);
