import { type Measured, measuredOn, tablesText } from "@/packages/firewall/bench/figures";

export const accuracy = ({ folds, heldBack }: Measured) => `## How well the prompt scan judges

${measuredOn(folds)}, by the protocol in \`packages/firewall/bench/PROTOCOL.md\`: each text is judged with weights, a calibration and
coefficients that have seen nothing of its group of sources. The two thresholds were chosen from these figures, so the shares of flagged
harmless texts say what was aimed at. Flagged is review or block. Harmless texts are counted as they are and glued to up to 4,500 words. These
figures are of the score of a whole text. A scan also flags a longer text of which 60 words would be blocked by themselves.

### What to expect elsewhere

Earlier editions were chosen in view of the texts they were measured on, and their figures did not hold. Two collections that none
of these had seen gave:

| | edition 1 | edition 2 | edition 2 by its own documentation |
|---|---|---|---|
| first collection: core attacks flagged / harmless texts flagged | 75.0 / 1.18 % | 71.0 / 1.76 % | 80.9 / 0.70 % |
| second collection, of long texts | 60.3 / 4.36 % | 65.0 / 6.56 % | – |
| second collection: harmless texts, easy / like attacks | 2.24 / 12.6 % | 5.26 / 11.6 % | – |
| second collection: core attacks blocked / harmless texts blocked | 34.7 / 0.51 % | 35.2 / 0.41 % | 56.2 / 0.03 % |

The third edition is trained on the first of them and, at the size of its false alarms here, a model of its form flagged 65 % of the core attacks and 1.2 %
of the harmless texts of the second. Expect that, not the figures of single sources below: recall differs between sources from a sixth to
all. A pass is no proof of anything.

Of the trainings that the protocol compares, those that flagged 30 % of the attacks in other languages also flagged more ordinary sentences, or passed
"Send me your seed phrase.", so none of them ships. A program's help text with options such as \`--override-config\` and \`--reveal-secrets\` is
for review although help texts are trained on: the protocol allows no rule that lifts one source alone.

${tablesText(folds.tables)}

## Held back until the end

${measuredOn(heldBack)}. Sources that no training has seen, and files of the operating system (all of them harmless), judged with the
published weights. They had been opened three times before, for other weights, so these are no figures of unseen texts: see the protocol. The first table is of the whole scan, in which hidden text, tokens of
templates, secrets of wallets and parts of a text lead to a review of a few more; the whole scan of edition 2 flagged 86.0 % of the direct and 53.2 % of the
indirect core attacks, and 7.8 % of the easy harmless texts. The others are of the score.

${tablesText(heldBack.tables)}`;

export const figures = ({ labelled, times, peers }: Measured) => `## Other measurements

${measuredOn(labelled)}, by \`npm run bench:firewall -- --save\`, on labelled data outside this repository.

${tablesText(labelled.tables)}

## Speed

${measuredOn(times)}: wall-clock milliseconds of one scan. Each figure is the median of several passes.

${tablesText(times.tables)}

## Compared with other prompt scanners

${measuredOn(peers)}, by \`npm run bench:firewall -- --peers\`: shares of flagged texts, of sources that none of them is known to have
been made with. The others are what npm serves, with their default thresholds; they need no model on a server.

${tablesText(peers.tables)}`;

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");
}
