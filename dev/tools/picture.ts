import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { installPackages } from "../local/extra-packages";

/** `npm run docs:picture`: draws docs/pictures/architecture.dot as SVG, for the README. */
const SOURCE = "docs/pictures/architecture.dot";

installPackages("dev/tools");
// Its types exist only after this folder is installed.
const { instance }: { instance: () => Promise<{ renderString(source: string, options: { format: "svg" }): string }> } =
  createRequire(import.meta.url)("@viz-js/viz");
const viz = await instance();
writeFileSync(SOURCE.replace(/\.dot$/, ".svg"), viz.renderString(readFileSync(SOURCE, "utf8"), { format: "svg" }));
