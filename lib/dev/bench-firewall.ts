import { resolve } from "node:path";
import { transactionFigures, x402Figures } from "./bench-firewall-payments";
import { evasionFigures, promptFigures, promptSpeedFigures, secretFigures } from "./bench-firewall-prompt";
import type { Section } from "./firewall-corpora";

/**
 * `npm run bench:firewall`: how the scanners judge labelled data, and how fast. The data lie outside the repository, in
 * FIREWALL_CORPORA; a part whose file is missing says so. `--json` prints JSON instead of tables.
 */
const folder = resolve(process.env.FIREWALL_CORPORA ?? "../shared/corpora");

const PARTS: readonly ((folder: string) => Section | Promise<Section>)[] = [
  transactionFigures,
  x402Figures,
  promptFigures,
  evasionFigures,
  secretFigures,
  promptSpeedFigures,
];

const sections: Section[] = [];
for (const part of PARTS) sections.push(await part(folder));

if (process.argv.includes("--json")) {
  console.log(JSON.stringify(sections, null, 2));
} else {
  for (const { title, figures } of sections) {
    console.log(`\n${title}`);
    const width = Math.max(...figures.map(([name]) => name.length));
    for (const [name, value] of figures) console.log(`  ${name.padEnd(width)}  ${value}`);
  }
}
