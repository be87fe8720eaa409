import { type CrossFigures, shareText } from "@/packages/firewall/bench/cross-figures";
import type { Measured } from "@/packages/firewall/bench/figures";

export const leftOut = ({
  rulesetVersion,
  sources,
  groups,
  sections,
}: CrossFigures) => `## Measured on sources that were left out

With ruleset \`${rulesetVersion}\`, by \`npm run firewall:cross -- --save\`. The labelled texts come from ${sources} sources in
${groups} groups of relatives. Each text is judged with weights that were trained without its whole group, and without any text
that also occurs in it. Expect less of texts from elsewhere: thresholds, rules and the forms of generated texts were chosen
by these figures and after reading texts that had been missed, so no source is unseen in every sense. Generated texts of all
languages were in every training, so the figures by language say nothing about a language without them. Flagged is review or block.

*Made to measure* are texts of our own: instructions to a machine inside harmless documents of the sources left out, and orders that are
harmless in themselves inside what a tool might have returned, with the same data without the order. No training has their sentences.
The rules were fitted to the first list of instructions, and extended, in general forms, for the second. The model of sentences, what it was
trained on and its thresholds were chosen with the first five lists in view. The sixth list and the second one in other languages were written by somebody who
had seen none of this: no rule, weight or threshold was chosen by their scores. Each of the two last lists in English has its harmless
counterpart, which is as hard as its writer could make it.

${sections
  .map(({ title, lines }) =>
    [
      `### ${title}`,
      table(
        ["texts", "number", "flagged", "blocked"],
        lines.map(({ name, texts, flagged, blocked }) => [
          name,
          `${texts}`,
          shareText(flagged, texts),
          shareText(blocked, texts),
        ]),
      ),
    ].join("\n\n"),
  )
  .join("\n\n")}`;

export const figures = ({ measuredOn, rulesetVersion, sections }: Measured) => `## Measured

On ${measuredOn} with ruleset \`${rulesetVersion}\`, by \`npm run bench:firewall -- --save\`, on labelled data outside this repository. Texts
were scored with weights that were trained without their group of sources. Times depend on the machine.

${sections
  .map(({ title, figures: rows, notes }) =>
    [
      `### ${title}`,
      table(
        ["figure", "measured", "goal", ""],
        rows.map(({ name, figure, goal, isMet }) => [
          name,
          figure,
          goal,
          isMet === null ? "" : isMet ? "met" : "not met",
        ]),
      ),
      ...notes.map((note) => `- ${note}`),
    ].join("\n\n"),
  )
  .join("\n\n")}`;

export const speeds = ({ speeds: sections, speedsOf }: Measured) => `### Speed

Wall-clock milliseconds of one scan on the measuring machine, on ${speedsOf.measuredOn} with ruleset \`${speedsOf.rulesetVersion}\`. Each figure is
the median of several passes.

${sections
  .map(({ title, timings }) =>
    [
      `#### ${title}`,
      table(
        ["input", "median", "p99", "goal", ""],
        timings.map(({ name, median, p99, goal, isMet }) => [
          name,
          `${median}`,
          `${p99}`,
          goal,
          isMet === null ? "" : isMet ? "met" : "not met",
        ]),
      ),
    ].join("\n\n"),
  )
  .join("\n\n")}`;

export const peers = ({ peers: rows }: Measured) => `### Compared with other prompt scanners

Percentage of flagged texts, for the same texts in the same run. Speed is in documents per second of processor
time, as a multiple of the first row's.

${table(
  ["scanner", "core attacks", "multilingual", "disguised", "benign", "benign, like attacks", "look-alikes", "speed"],
  rows.map((peer) => [
    peer.name,
    ...[peer.core, peer.multilingual, peer.evasions, peer.benign, peer.hard, peer.lookalikes].map(String),
    `×${peer.speed}`,
  ]),
)}`;

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");
}
