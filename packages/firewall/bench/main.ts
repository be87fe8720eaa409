import { corporaFolder, evasionRows, promptRows } from "../training/prompt-corpora.ts";
import { saveFigures } from "./figures.ts";
import { paymentSpeedFigures, transactionFigures, x402Figures } from "./payments.ts";
import { type Peer, peerFigures } from "./peers.ts";
import { evasionFigures, promptFigures, promptSpeedFigures, scoredPrompts, secretFigures } from "./prompt.ts";
import { columns, linesOf, missing, type Section, sectionText, type TimeSection } from "./report.ts";

/**
 * `npm run bench:firewall`: how the scanners judge labelled data beside other scanners, and how fast. The data lie outside
 * the repository, in FIREWALL_CORPORA; a part whose file is missing says so. `--json` prints JSON instead of tables,
 * `--save` keeps the figures for docs/firewall.md.
 */
const tell = (done: string) => process.stderr.write(`… ${done}\n`);

const folder = corporaFolder;
// First, in a process as small as one that serves: what is measured later leaves a hundred megabytes for the collector.
tell("taking times");
const times: TimeSection[] = [paymentSpeedFigures(folder), promptSpeedFigures(folder)];
const rows = promptRows(folder);
const scored = rows === null ? null : scoredPrompts(rows, tell);
tell("judging transactions, requirements, disguises and secrets");
const agreement: Section[] = [
  transactionFigures(folder),
  x402Figures(folder),
  scored === null ? missing("Prompt scan, sources held out", "prompts.jsonl.gz") : promptFigures(scored),
  evasionFigures(folder),
  secretFigures(folder),
];
const peers = scored === null ? [] : await peerFigures(scored, evasionRows(folder) ?? [], tell);

const printed = [...agreement, ...times.map(linesOf)];
if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ sections: printed, peers }, null, 2));
} else {
  for (const section of printed) console.log(`\n${sectionText(section)}`);
  if (peers.length > 0) console.log(`\n${peersText(peers)}`);
}
if (process.argv.includes("--save") && scored !== null) saveFigures({ agreement, times, peers }, new Date());

/** Each figure in per cent, and in brackets how it compares with ours. */
function peersText(peers: readonly Peer[]): string {
  const [own] = peers;
  const cell = (value: number, ours: number | undefined, isOwn: boolean) =>
    isOwn || !ours ? `${value}` : `${value} (×${(value / ours).toFixed(2)})`;
  const header = ["", "core", "multilingual", "disguised", "benign", "like attacks", "look-alikes", "documents/s"];
  const lines = peers.map((peer) => [
    peer.name,
    ...(["core", "multilingual", "evasions", "benign", "hard", "lookalikes", "documentsPerSecond"] as const).map(
      (key) => cell(peer[key], own?.[key], peer === own),
    ),
  ]);
  return `Flagged in per cent by ours and by other scanners; in brackets, as a multiple of ours\n${columns([header, ...lines])}`;
}
