// A step of the Dockerfile: writes next.config.ts as plain JavaScript, for a server without a compiler.
import { readFileSync, writeFileSync } from "node:fs";
import { transformSync } from "esbuild";

/** @param {string} target where the plain form goes */
export function writePlainConfig(target) {
  const { code } = transformSync(readFileSync("next.config.ts", "utf8"), { loader: "ts", format: "esm" });
  writeFileSync(target, code);
}

const [, script, target] = process.argv;
if (script?.endsWith("plain-config.mjs") && target) writePlainConfig(target);
