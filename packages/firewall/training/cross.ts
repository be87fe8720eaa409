import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { type PromptScan, scanWith, type Weights } from "../src/prompt/scan.ts";
import { sentenceFeatures } from "../src/prompt/sentences.ts";
import { type Example, examplesOf, roundedWeights, scored, textKey, train } from "./examples.ts";
import { groups } from "./left-out.ts";
import type { PromptRow } from "./prompt-corpora.ts";
import { sentenceExamples, trainSentences } from "./sentences.ts";
import { trialRows } from "./trials.ts";

/** What a scan with weights that have not seen the text's source says about it. */
export type LeftOut = {
  row: PromptRow;
  group: string;
  scan: Pick<PromptScan, "verdict" | "riskScore" | "findings">;
  /** For the choice of thresholds: the model's score, the number of words, and the risk by rules alone. */
  score: number;
  words: number;
  rulesScore: number;
};

/** Weights of finished groups are kept here, so that an interrupted run continues where it stopped. */
const cache = join(tmpdir(), "tessera-firewall-cross");

/**
 * Scans every text with weights trained without its group of sources, and the trials of each group. `share` takes a part of the texts, for a first
 * look. `report` is called with the progress.
 */
export function crossValidated(
  rows: readonly PromptRow[],
  { share, only, report }: { share: number; only: readonly string[]; report: (done: string) => void },
): LeftOut[] {
  const chosen = share === 1 ? rows : rows.filter(({ id }) => isChosen(id, share));
  report("computing features");
  const examples = examplesOf(chosen.filter(({ train: may }) => may !== false));
  const names = Object.keys(groups).filter((name) => only.length === 0 || only.includes(name));
  return names.flatMap((group) => {
    const sources = new Set(groups[group]);
    const unseen = chosen.filter(({ source }) => sources.has(source));
    const known = chosen.filter(({ source, train: may }) => may !== false && !sources.has(source));
    const sentences = trainSentences(sentenceExamples(known, unseen));
    const stretches = weightsWithout(examples, sources, unseen, (digest) => report(`${group}: weights ${digest}`));
    return [...unseen, ...trialRows(unseen, trialSeed)].map((row) => {
      const { verdict, riskScore, findings } = scanWith({ text: row.text }, { stretches, sentences });
      const { score, count } = scored(row.text, stretches);
      const rulesScore = scanWith({ text: row.text }, nothing).riskScore;
      return { row, group, scan: { verdict, riskScore, findings }, score, words: count, rulesScore };
    });
  });
}

const trialSeed = 13;
const nothing: Weights = { stretches: new Int8Array(1 << weightBits), sentences: new Int8Array(sentenceFeatures) };

/** Trains on the examples that have nothing of the sources, and no text that occurs in them. */
function weightsWithout(
  examples: readonly Example[],
  sources: ReadonlySet<string>,
  unseen: readonly PromptRow[],
  report: (digest: string) => void,
): Int8Array {
  const known = new Set(unseen.map(({ text }) => textKey(text)));
  const seen = examples.filter(
    (example) => !example.sources.some((source) => sources.has(source)) && !known.has(example.key),
  );
  const digest = digestOf(seen);
  const file = join(cache, `${digest}.bin`);
  if (existsSync(file)) {
    report(`${digest}, from the last run`);
    return new Int8Array(readFileSync(file));
  }
  const weights = roundedWeights(train(seen));
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, weights);
  report(digest);
  return weights;
}

/** Of the examples and of the code that trains on them. */
function digestOf(examples: readonly Example[]): string {
  const hash = createHash("sha256").update(readFileSync(join(import.meta.dirname, "examples.ts")));
  for (const { features, label, weight } of examples) hash.update(features).update(`${label} ${weight}`);
  return hash.digest("hex").slice(0, 16);
}

function isChosen(id: string, share: number): boolean {
  const digest = createHash("sha256").update(id).digest();
  return digest.readUInt16BE(0) < share * 0x10000;
}
