import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { examplesOf, roundedWeights, scoreOf, train } from "./examples.ts";
import { corporaFolder, folds, kindOf, type PromptRow, promptRows } from "./prompt-corpora.ts";

const file = join(import.meta.dirname, "../src/prompt/likelihood-weights.ts");

/** `npm run firewall:train` writes the weights. With `--folds` it reports how well texts of unseen sources are classified. */
const rows = promptRows(corporaFolder);
if (rows === null) throw new Error(`No prompts.jsonl.gz in ${corporaFolder}: set FIREWALL_CORPORA`);
const trainable = rows.filter(({ train: may }) => may !== false);
if (process.argv.includes("--folds")) reportFolds(rows);
else writeWeights(roundedWeights(train(examplesOf(trainable))));

function reportFolds(rows: readonly PromptRow[]): void {
  const scored: { row: PromptRow; score: number }[] = [];
  for (const [index, fold] of folds.entries()) {
    const weights = roundedWeights(train(examplesOf(trainable.filter(({ source }) => !fold.includes(source)))));
    const unseen = rows.filter((row) => fold.includes(row.source) || (index === 0 && row.train === false));
    scored.push(...unseen.map((row) => ({ row, score: scoreOf(row.text, weights) })));
  }
  const benign = scored
    .filter(({ row }) => row.label === 0 && !row.quotes_payload)
    .map(({ score }) => score)
    .sort((a, b) => b - a);
  for (const share of [0.001, 0.003, 0.005, 0.01, 0.02]) {
    const threshold = benign[Math.floor(benign.length * share)] ?? 0;
    const caught = (["core", "multilingual", "other"] as const).map((kind) => {
      const attacks = scored.filter(({ row }) => kindOf(row) === kind);
      return `${kind} ${percent(attacks.filter(({ score }) => score > threshold).length, attacks.length)}`;
    });
    console.log(`${share * 100} % of benign texts score above ${threshold}: ${caught.join(", ")}`);
  }
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

function writeWeights(weights: Int8Array): void {
  const packed = Buffer.from(pack(weights)).toString("base64");
  const digest = createHash("sha256").update(packed).digest("hex").slice(0, 16);
  writeFileSync(
    file,
    `import { unpacked } from "./packed.ts";

/** Written by \`npm run firewall:train\`. */
export const weightBits = ${weightBits};
export const weightsDigest = "${digest}";
export const packedWeights =
  "${packed}";

let weights: Int8Array | undefined;
export function decodedWeights(): Int8Array {
  weights ??= unpacked(packedWeights, 1 << weightBits);
  return weights;
}
`,
  );
  console.log(
    `${weights.filter((weight) => weight !== 0).length} weights, ${packed.length} characters, digest ${digest}`,
  );
}

/** Run-length encoding of zeros: a zero byte is followed by the number of zeros. Most weights are zero. */
function pack(weights: Int8Array): number[] {
  const bytes: number[] = [];
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] !== 0) {
      bytes.push((weights[i] ?? 0) & 255);
      continue;
    }
    let run = 1;
    while (run < 255 && i + 1 < weights.length && weights[i + 1] === 0) {
      run++;
      i++;
    }
    bytes.push(0, run);
  }
  return bytes;
}
