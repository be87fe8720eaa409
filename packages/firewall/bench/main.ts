import { join } from "node:path";
import { calibration } from "../src/prompt/calibration.ts";
import { decodedWeights } from "../src/prompt/likelihood-weights.ts";
import { scanPrompt } from "../src/prompt/scan.ts";
import { RULESET_VERSION } from "../src/ruleset.ts";
import { highest } from "../training/calibrate.ts";
import { filesFold, scored } from "../training/cross.ts";
import { systemRows } from "../training/documents.ts";
import { textKey } from "../training/examples.ts";
import { measuredTexts } from "../training/measured-texts.ts";
import { corporaFolder, type PromptRow, promptRows } from "../training/prompt-corpora.ts";
import { summary, tablesOf } from "../training/summary.ts";
import { measurementOf, saveFigures } from "./figures.ts";
import { agreementFigures, paymentSpeedFigures } from "./payments.ts";
import { ownTable, peerTable } from "./peers.ts";
import { evasionFigures, promptSpeedFigures, secretFigures } from "./prompt.ts";
import { tableText } from "./report.ts";

/**
 * `npm run bench:firewall` measures verdicts on labelled data outside the repository (FIREWALL_CORPORA) and scan times. `--verdicts` takes
 * no times: they need a machine with nothing else to do. `--open` judges the texts that `PROTOCOL.md` holds back, which is done once
 * for a ruleset. `--peers` judges them by other scanners, too. `--save` writes the figures into docs/firewall.md. How texts of unseen folds are judged is a part of
 * `npm run firewall:train`.
 */
const folder = corporaFolder;
const now = new Date();
const isSaving = process.argv.includes("--save");

if (process.argv.includes("--open")) openHeldBack();
else if (process.argv.includes("--peers")) {
  const rows = heldBackRows();
  const table = peerTable("The texts held back", rows, isFlagged);
  console.log(tableText(table));
  if (isSaving) saveFigures("peers", measurementOf(now, RULESET_VERSION, [table]));
} else {
  // First, while the heap is small as in a server: later parts leave a hundred megabytes to the garbage collector.
  const times = process.argv.includes("--verdicts") ? null : [paymentSpeedFigures(folder), promptSpeedFigures(folder)];
  const tables = [
    ...agreementFigures(folder),
    evasionFigures(folder),
    secretFigures(folder, "secrets.jsonl.gz"),
    secretFigures(folder, "secrets-2.jsonl.gz"),
  ];
  for (const table of [...tables, ...(times ?? [])]) console.log(`\n${tableText(table)}`);
  if (isSaving) {
    saveFigures("labelled", measurementOf(now, RULESET_VERSION, tables));
    if (times) saveFigures("times", measurementOf(now, RULESET_VERSION, times));
  }
}

function isFlagged({ text }: PromptRow): boolean {
  return scanPrompt({ text }).verdict !== "pass";
}

/** What the protocol holds back. A text that also occurs in another source has been trained on. */
function heldBackRows(): PromptRow[] {
  const all = promptRows(folder) ?? [];
  const trained = new Set(all.filter(({ train }) => train !== false).map(({ text }) => textKey(text)));
  return all.filter(({ train, text }) => train === false && !trained.has(textKey(text)));
}

function openHeldBack(): void {
  const rows = heldBackRows();
  const files = [
    ...systemRows("/usr/share/doc", "system-docs", /\.(?:txt|md|rst)$|README|NEWS|copyright$/, 400),
    ...systemRows("/usr/share/perl", "perl-code", /\.(?:pm|pl)$/, 200),
    ...systemRows("/usr/share/perl", "perl-pod", /\.pod$/, 200),
    ...systemRows("/usr/lib/python3", "python-code", /\.py$/, 200),
    ...systemRows(join(process.execPath, "../../include/node"), "node-headers", /\.h$/, 150),
  ];
  const weights = decodedWeights();
  const texts = measuredTexts([...rows, ...files], 99)
    .map((text) => scored(text, weights, filesFold))
    .map((text) => ({ ...text, score: highest(text, calibration.coefficients) }));
  const whole = ownTable("The whole scan, of texts as they are", rows, isFlagged);
  console.log(summary(texts, calibration.thresholds));
  console.log(`\n${tableText(whole)}`);
  if (!isSaving) return;
  const tables = [whole, ...tablesOf(texts, calibration.thresholds)];
  saveFigures("heldBack", measurementOf(now, RULESET_VERSION, tables));
}
