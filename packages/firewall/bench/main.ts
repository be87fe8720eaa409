import { corporaFolder, evasionRows, promptRows } from "../training/prompt-corpora.ts";
import { saveFigures } from "./figures.ts";
import { paymentSpeedFigures, transactionFigures, x402Figures } from "./payments.ts";
import { type Peer, peerFigures } from "./peers.ts";
import { evasionFigures, promptFigures, promptSpeedFigures, scoredPrompts, secretFigures } from "./prompt.ts";
import { columns, linesOf, missing, type Section, sectionText, type TimeSection } from "./report.ts";

/**
 * `npm run bench:firewall` measures verdicts on labelled data, compared with other scanners, and scan times. The data
 * are outside the repository, in FIREWALL_CORPORA. A missing file is reported as such. `--json` prints JSON instead of
 * tables, `--save` saves the figures for docs/firewall.md. `--verdicts` takes no times: they need a machine with nothing
 * else to do.
 */
const report = (done: string) => process.stderr.write(`… ${done}\n`);

const folder = corporaFolder;
// First, while the heap is small as in a server: later parts leave a hundred megabytes to the garbage collector.
const times: TimeSection[] | null = process.argv.includes("--verdicts") ? null : timesTaken();
const rows = promptRows(folder);
const scored = rows === null ? null : scoredPrompts(rows, report);
report("judging transactions, requirements, disguises and secrets");
const agreement: Section[] = [
  transactionFigures(folder),
  x402Figures(folder),
  scored === null ? missing("Prompt scan, sources held out", "prompts.jsonl.gz") : promptFigures(scored),
  evasionFigures(folder),
  secretFigures(folder),
];
const peers = scored === null ? [] : await peerFigures(scored, evasionRows(folder) ?? [], report);

const printed = [...agreement, ...(times ?? []).map(linesOf)];
if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ sections: printed, peers }, null, 2));
} else {
  for (const section of printed) console.log(`\n${sectionText(section)}`);
  if (peers.length > 0) console.log(`\n${peersText(peers)}`);
}
if (process.argv.includes("--save") && scored !== null) saveFigures({ agreement, times, peers }, new Date());

function timesTaken(): TimeSection[] {
  report("taking times");
  return [paymentSpeedFigures(folder), promptSpeedFigures(folder)];
}

/** Figures in per cent, with the ratio to ours in brackets. */
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
  return `Percentage of flagged texts, for this scanner and others; in brackets, the multiple of this scanner's value\n${columns([header, ...lines])}`;
}
