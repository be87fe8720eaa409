import { writeFileSync } from "node:fs";
import { RULESET_VERSION } from "../src/ruleset.ts";
import { crossValidated, type LeftOut } from "../training/cross.ts";
import { groups, languageOf } from "../training/left-out.ts";
import { corporaFolder, kindOf, type PromptRow, promptRows } from "../training/prompt-corpora.ts";
import { isTrial, trialOf } from "../training/trials.ts";
import { changedVerdicts, saveCross, shareText } from "./cross-figures.ts";
import { columns } from "./report.ts";

/**
 * `npm run firewall:cross` judges every text with weights trained without its group of sources, and prints what is
 * found and flagged by group, source and language. The data are outside the repository, in FIREWALL_CORPORA.
 * `--group <name>` (repeatable) takes one group, `--share 0.2` a part of the texts, `--json <file>` saves every
 * verdict, `--against <file>` shows what changed since such a file, `--save` saves the table for docs/firewall.md. A run that was interrupted continues where it stopped.
 */
const argument = (name: string): string[] =>
  process.argv.flatMap((given, at) => (given === name ? [process.argv[at + 1] ?? ""] : []));
const rows = promptRows(corporaFolder);
if (rows === null) throw new Error(`No prompts.jsonl.gz in ${corporaFolder}: set FIREWALL_CORPORA`);
const share = Number(argument("--share")[0] ?? "1");
const judged = crossValidated(rows, {
  share,
  only: argument("--group"),
  report: (done) => process.stderr.write(`… ${done}\n`),
});

const ofSources = judged.filter(({ row }) => !isTrial(row));
const ofTrials = judged.filter(({ row }) => isTrial(row));
type Line = { name: string; texts: number; flagged: number; blocked: number };

const isBenign = ({ row }: LeftOut) => row.label === 0 && row.quotes_payload !== true;
const kinds: Readonly<Record<string, (one: LeftOut) => boolean>> = {
  "attacks, core": ({ row }) => kindOf(row) === "core",
  "attacks, other languages": ({ row }) => kindOf(row) === "multilingual",
  "attacks, by scenario or in plain words": ({ row }) => kindOf(row) === "other",
  benign: isBenign,
  "benign, like attacks": (one) => isBenign(one) && one.row.hard !== undefined,
  "benign, quoting attacks": ({ row }) => row.label === 0 && row.quotes_payload === true,
};
const trials: Readonly<Record<string, (one: LeftOut) => boolean>> = {
  "instructions in documents, first list": ({ row }) => trialOf(row, "latent"),
  "instructions in documents, second list": ({ row }) => trialOf(row, "later"),
  "instructions in documents, third list": ({ row }) => trialOf(row, "last"),
  "instructions in documents, fourth list": ({ row }) => trialOf(row, "fourth"),
  "instructions in documents, fifth list": ({ row }) => trialOf(row, "fifth"),
  "instructions in documents, sixth list, unfitted": ({ row }) => trialOf(row, "sixth"),
  "harmless sentences in the same documents, fifth list": ({ row }) => trialOf(row, "fifthHarmless"),
  "harmless sentences in the same documents, sixth list, unfitted": ({ row }) => trialOf(row, "sixthHarmless"),
  "instructions in other languages, first list": ({ row }) => trialOf(row, "abroad"),
  "instructions in other languages, second list, unfitted": ({ row }) => trialOf(row, "abroadSecond"),
  "errands in what a tool returned": ({ row }) => trialOf(row, "errand"),
  "the same without an errand": ({ row }) => trialOf(row, "returned"),
};
const sections: { title: string; lines: Line[] }[] = [
  { title: "All sources", lines: Object.entries(kinds).map(([name, is]) => lineOf(name, ofSources.filter(is))) },
  {
    title: "Made to measure",
    lines: Object.entries(trials).map(([name, is]) => lineOf(name, ofTrials.filter(is))),
  },
  {
    title: "Core attacks by source",
    lines: by(({ source }) => source, ofSources.filter(kinds["attacks, core"] ?? isBenign)),
  },
  {
    title: "Other attacks by category",
    lines: by(({ cat }) => cat, ofSources.filter(kinds["attacks, by scenario or in plain words"] ?? isBenign)),
  },
  {
    title: "Attacks by language",
    lines: by(
      languageOf,
      ofSources.filter(({ row }) => row.label === 1),
    ),
  },
  { title: "Benign by source", lines: by(({ source }) => source, ofSources.filter(isBenign)) },
  { title: "Benign by language", lines: by(languageOf, ofSources.filter(isBenign)) },
];

for (const { title, lines } of sections) {
  const cells = lines.map((line) => [
    line.name,
    `${line.texts}`,
    shareText(line.flagged, line.texts),
    shareText(line.blocked, line.texts),
  ]);
  console.log(`\n${title}\n${columns([["", "texts", "flagged", "blocked"], ...cells])}`);
}
for (const file of argument("--json"))
  writeFileSync(
    file,
    ofSources
      .map(({ row, group, scan, score, words, rulesScore }) =>
        JSON.stringify({ id: row.id, kind: kindOf(row), group, ...scan, score, words, rulesScore }),
      )
      .join("\n"),
  );
for (const file of argument("--against")) {
  const now = ofSources.map((one) => ({ id: one.row.id, kind: kindNameOf(one), verdict: one.scan.verdict }));
  console.log(`\nChanged verdicts\n${columns(changedVerdicts(file, now))}`);
}
if (process.argv.includes("--save")) {
  if (share !== 1 || argument("--group").length > 0) throw new Error("--save needs all texts of all groups");
  const sources = new Set(rows.map(({ source }) => source)).size;
  saveCross({ rulesetVersion: RULESET_VERSION, sources, groups: Object.keys(groups).length, sections });
}

/** The narrowest of `kinds`. */
function kindNameOf(one: LeftOut): string {
  const names = Object.entries(kinds).flatMap(([name, is]) => (is(one) ? [name] : []));
  return names.at(-1) ?? "";
}

function by(nameOf: (row: PromptRow) => string, some: readonly LeftOut[]): Line[] {
  const names = [...new Set(some.map(({ row }) => nameOf(row)))].sort();
  return names.map((name) =>
    lineOf(
      name,
      some.filter(({ row }) => nameOf(row) === name),
    ),
  );
}

function lineOf(name: string, some: readonly LeftOut[]): Line {
  const flagged = some.filter(({ scan }) => scan.verdict !== "pass").length;
  const blocked = some.filter(({ scan }) => scan.verdict === "block").length;
  return { name, texts: some.length, flagged, blocked };
}
