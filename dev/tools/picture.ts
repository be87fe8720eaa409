import { readFileSync, writeFileSync } from "node:fs";
import { instance } from "@viz-js/viz";

/** `npm run docs:picture`: draws docs/pictures/architecture.dot as SVG, for the README. */
const SOURCE = "docs/pictures/architecture.dot";

const viz = await instance();
writeFileSync(SOURCE.replace(/\.dot$/, ".svg"), viz.renderString(readFileSync(SOURCE, "utf8"), { format: "svg" }));
