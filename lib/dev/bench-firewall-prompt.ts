import { type PromptScan, scanPrompt, scanWith } from "@/lib/firewall/rules/prompt";
import { missing, type Section, share, timesOf } from "./firewall-corpora";
import { examplesOf, roundedWeights, train } from "./firewall-training";
import { hostileTexts } from "./hostile-texts";
import { evasionRows, folds, kindOf, type PromptRow, promptRows, secretRows } from "./prompt-corpora";

export type Scored = { row: PromptRow; scan: PromptScan };

const microseconds = (milliseconds: number): string => `${(milliseconds * 1000).toFixed(0)} µs`;

/** Every text is judged by weights that have seen nothing of its source. */
export function promptFigures(folder: string): Section {
  const title = "Prompt scan, sources held out";
  const scored = scoredPrompts(folder);
  if (scored === null) return missing(title, "prompts.jsonl.gz");
  const benign = scored.filter(({ row }) => row.label === 0 && row.quotes_payload !== true);
  return {
    title,
    figures: [
      ...(["core", "multilingual", "other"] as const).flatMap((kind) =>
        flagged(
          `attacks, ${kind}`,
          scored.filter(({ row }) => kindOf(row) === kind),
        ),
      ),
      ...flagged("benign", benign),
      ...flagged(
        "benign, like attacks",
        benign.filter(({ row }) => row.hard !== undefined),
      ),
      ...flagged(
        "benign, quoting attacks",
        scored.filter(({ row }) => row.label === 0 && row.quotes_payload === true),
      ),
    ],
  };
}

export function scoredPrompts(folder: string): Scored[] | null {
  const rows = promptRows(folder);
  if (rows === null) return null;
  const trainable = rows.filter(({ train: may }) => may !== false);
  return folds.flatMap((fold, index) => {
    const weights = roundedWeights(train(examplesOf(trainable.filter(({ source }) => !fold.includes(source)))));
    const unseen = rows.filter((row) => fold.includes(row.source) || (index === 0 && row.train === false));
    return unseen.map((row) => ({ row, scan: scanWith({ text: row.text }, weights) }));
  });
}

export function evasionFigures(folder: string): Section {
  const title = "Prompt scan, disguised attacks";
  const rows = evasionRows(folder);
  if (rows === null) return missing(title, "evasions.jsonl.gz");
  const scored = rows.map((row) => ({ row, scan: scanPrompt({ text: row.text }) }));
  const wrong = scored.filter(({ row, scan }) => (scan.verdict === "pass") === (row.label === 1));
  return {
    title,
    figures: [
      ...flagged(
        "attacks",
        scored.filter(({ row }) => row.label === 1),
      ),
      ...flagged(
        "look-alikes",
        scored.filter(({ row }) => row.label === 0),
      ),
      ["judged wrongly", [...new Set(wrong.map(({ row }) => row.technique))].join(", ") || "none"],
    ],
  };
}

export function secretFigures(folder: string): Section {
  const title = "Secrets in the redacted preview";
  const rows = secretRows(folder);
  if (rows === null) return missing(title, "secrets.jsonl.gz");
  const scored = rows.map((row) => {
    const { redactedPreview } = scanPrompt({ text: row.text });
    return {
      ...row,
      isHidden: row.secret === null ? redactedPreview.includes("[REDACTED]") : !redactedPreview.includes(row.secret),
    };
  });
  const hidden = (name: string, group: typeof scored) =>
    [name, share(group.filter(({ isHidden }) => isHidden).length, group.length)] as const;
  const isDecoy = (kind: string) => kind.startsWith("decoy");
  return {
    title,
    figures: [
      hidden(
        "wallet and key set",
        scored.filter(({ label, secret }) => label === 1 && secret !== null),
      ),
      hidden(
        "other scanners' examples",
        scored.filter(({ label, secret }) => label === 1 && secret === null),
      ),
      hidden(
        "decoys",
        scored.filter(({ label, kind }) => label === 0 && isDecoy(kind)),
      ),
      hidden(
        "other scanners' decoys",
        scored.filter(({ label, kind }) => label === 0 && !isDecoy(kind)),
      ),
    ],
  };
}

/** The corpus one text after another, and texts of the greatest length made to be slow. */
export function promptSpeedFigures(folder: string): Section {
  const title = "Prompt scan, time";
  const rows = promptRows(folder);
  if (rows === null) return missing(title, "prompts.jsonl.gz");
  let next = 0;
  const { median, p99 } = timesOf(() => scanPrompt({ text: rows[(next++ * 7) % rows.length]?.text ?? "" }), 6000);
  return {
    title,
    figures: [
      ["a text of the corpus", `median ${microseconds(median)}, p99 ${microseconds(p99)}`],
      ...Object.entries(hostileTexts(24_000)).map(
        ([name, text]) =>
          [
            `24,000 characters, ${name}`,
            `median ${microseconds(timesOf(() => scanPrompt({ text }), 30).median)}`,
          ] as const,
      ),
    ],
  };
}

function flagged(name: string, group: readonly { scan: PromptScan }[]): Section["figures"] {
  const review = group.filter(({ scan }) => scan.verdict !== "pass").length;
  const block = group.filter(({ scan }) => scan.verdict === "block").length;
  return [
    [`${name}: review or block`, share(review, group.length)],
    [`${name}: block`, share(block, group.length)],
  ];
}
