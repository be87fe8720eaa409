import { type PromptScan, scanPrompt } from "../src/prompt/scan.ts";
import { crossValidated } from "../training/cross.ts";
import {
  type EvasionRow,
  evasionRows,
  kindOf,
  type PromptRow,
  promptRows,
  secretRows,
} from "../training/prompt-corpora.ts";
import { isTrial, trialOf } from "../training/trials.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { type Figure, type Goal, missing, type Section, share, type TimeSection, timesOf, timing } from "./report.ts";

/** Only the verdict: complete scans of a corpus would not fit into memory. */
export type Scored = { row: PromptRow; verdict: PromptScan["verdict"] };

/** The groups of the report. */
export const groups = {
  core: (row: PromptRow) => kindOf(row) === "core",
  multilingual: (row: PromptRow) => kindOf(row) === "multilingual",
  other: (row: PromptRow) => kindOf(row) === "other" && !isTrial(row),
  plain: (row: PromptRow) => row.cat === "indirect-plain",
  benign: (row: PromptRow) => row.label === 0 && row.quotes_payload !== true && !isTrial(row),
  hard: (row: PromptRow) => row.label === 0 && row.quotes_payload !== true && row.hard !== undefined,
  quoting: (row: PromptRow) => row.label === 0 && row.quotes_payload === true,
  latent: (row: PromptRow) => trialOf(row, "latent"),
  later: (row: PromptRow) => trialOf(row, "later"),
  last: (row: PromptRow) => trialOf(row, "last"),
  fourth: (row: PromptRow) => trialOf(row, "fourth"),
  fifth: (row: PromptRow) => trialOf(row, "fifth"),
  sixth: (row: PromptRow) => trialOf(row, "sixth"),
  sixthHarmless: (row: PromptRow) => trialOf(row, "sixthHarmless"),
  abroad: (row: PromptRow) => trialOf(row, "abroad"),
  abroadSecond: (row: PromptRow) => trialOf(row, "abroadSecond"),
  errand: (row: PromptRow) => trialOf(row, "errand"),
  returned: (row: PromptRow) => trialOf(row, "returned"),
} satisfies Record<string, (row: PromptRow) => boolean>;

/** Scans every text with weights that were trained without its group of sources. `report` is called with the progress. */
export function scoredPrompts(rows: readonly PromptRow[], report: (done: string) => void): Scored[] {
  return crossValidated(rows, { share: 1, only: [], report }).map(({ row, scan }) => ({ row, verdict: scan.verdict }));
}

export function promptFigures(scored: readonly Scored[]): Section {
  const flagged = (name: string, group: keyof typeof groups, review?: Goal, block?: Goal): Figure[] => {
    const some = scored.filter(({ row }) => groups[group](row));
    return [
      share(`${name}: review or block`, some, ({ verdict }) => verdict !== "pass", review),
      share(`${name}: block`, some, ({ verdict }) => verdict === "block", block),
    ];
  };
  return {
    title: "Prompt scan, sources held out",
    figures: [
      ...flagged("attacks, core", "core", { atLeast: 80 }, { atLeast: 50 }),
      ...flagged("attacks, multilingual", "multilingual", { atLeast: 55 }),
      ...flagged("attacks, other", "other"),
      ...flagged("attacks, plain orders in data", "plain", { atLeast: 25 }),
      ...flagged("made to measure, instructions in documents, first list", "latent", { atLeast: 60 }),
      ...flagged("made to measure, instructions in documents, second list", "later", { atLeast: 60 }),
      ...flagged("made to measure, instructions in documents, third list", "last", { atLeast: 60 }),
      ...flagged("made to measure, instructions in documents, fourth list", "fourth", { atLeast: 60 }),
      ...flagged("made to measure, instructions in documents, fifth list", "fifth", { atLeast: 60 }),
      ...flagged("made to measure, instructions in documents, sixth list, unfitted", "sixth", { atLeast: 60 }),
      ...flagged("made to measure, harmless sentences in documents, sixth list, unfitted", "sixthHarmless"),
      ...flagged("made to measure, instructions in other languages, first list", "abroad"),
      ...flagged("made to measure, instructions in other languages, second list, unfitted", "abroadSecond"),
      ...flagged("made to measure, errands in what a tool returned", "errand", { atLeast: 25 }),
      ...flagged("made to measure, the same without an errand", "returned", { atMost: 1.5 }),
      ...flagged("benign", "benign", { atMost: 0.8 }, { atMost: 0.03 }),
      ...flagged("benign, like attacks", "hard", { atMost: 1.5 }),
      ...flagged("benign, quoting attacks", "quoting"),
    ],
    notes: [],
  };
}

export function evasionFigures(folder: string): Section {
  const title = "Prompt scan, disguised attacks";
  const rows = evasionRows(folder);
  if (rows === null) return missing(title, "evasions.jsonl.gz");
  const scored = rows.map((row) => ({ row, verdict: scanPrompt({ text: row.text }).verdict }));
  const isFlagged = ({ verdict }: { verdict: string }) => verdict !== "pass";
  const of = (label: EvasionRow["label"]) => scored.filter(({ row }) => row.label === label);
  const wrong = scored.filter((one) => isFlagged(one) === (one.row.label === 0));
  return {
    title,
    figures: [
      share("attacks: review or block", of(1), isFlagged, { atLeast: 97 }),
      share("attacks: block", of(1), ({ verdict }) => verdict === "block"),
      share("look-alikes: review or block", of(0), isFlagged, { atMost: 0 }),
    ],
    notes: [`judged wrongly: ${[...new Set(wrong.map(({ row }) => row.technique))].join(", ") || "none"}`],
  };
}

export function secretFigures(folder: string): Section {
  const title = "Secrets in the redacted preview";
  const rows = secretRows(folder);
  if (rows === null) return missing(title, "secrets.jsonl.gz");
  const scored = rows.map((row) => {
    const { redactedPreview } = scanPrompt({ text: row.text });
    const isHidden =
      row.secret === null ? redactedPreview.includes("[REDACTED]") : !redactedPreview.includes(row.secret);
    return { ...row, isHidden };
  });
  const hidden = (name: string, group: typeof scored, goal?: Goal) =>
    share(name, group, ({ isHidden }) => isHidden, goal);
  const isDecoy = (kind: string) => kind.startsWith("decoy");
  return {
    title,
    figures: [
      hidden(
        "wallet and key set",
        scored.filter(({ label, secret }) => label === 1 && secret !== null),
        { atLeast: 100 },
      ),
      hidden(
        "other scanners' examples",
        scored.filter(({ label, secret }) => label === 1 && secret === null),
      ),
      hidden(
        "decoys",
        scored.filter(({ label, kind }) => label === 0 && isDecoy(kind)),
        { atMost: 2 },
      ),
      hidden(
        "other scanners' decoys",
        scored.filter(({ label, kind }) => label === 0 && !isDecoy(kind)),
      ),
    ],
    notes: [],
  };
}

/** Times of the texts of the corpus, and of texts of the greatest length that are designed to be slow. */
export function promptSpeedFigures(folder: string): TimeSection {
  const title = "Prompt scan, time";
  const rows = promptRows(folder);
  if (rows === null) return { title, timings: [], notes: missing(title, "prompts.jsonl.gz").notes };
  const times = timesOf((index) => scanPrompt({ text: rows[(index * 7) % rows.length]?.text ?? "" }), 2500);
  return {
    title,
    timings: [
      timing("a text of the corpus", times, { median: { atMost: 0.05 }, p99: { atMost: 0.8 } }),
      ...Object.entries(hostileTexts(24_000)).map(([name, text]) =>
        timing(
          `24,000 characters, ${name}`,
          timesOf(() => scanPrompt({ text }), 200),
          { median: { atMost: 1.5 } },
        ),
      ),
    ],
    notes: [],
  };
}
