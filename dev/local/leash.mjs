import { pathToFileURL } from "node:url";

/**
 * `node leash.mjs <program> …` runs a node program that ends with its parent: however that ends, the pipe it gave as
 * stdin breaks. A plain module, because flags of node would be passed on to the program's own children.
 */
process.stdin.resume().once("end", () => process.kill(process.pid, "SIGTERM"));
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? "").href);
