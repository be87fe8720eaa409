import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measurementOf, saveFigures, saveHeadline } from "../bench/figures.ts";
import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { VERSION } from "../src/ruleset.ts";
import { fitted, judged, thresholdsFrom } from "./calibrate.ts";
import { crossScored } from "./cross.ts";
import { packageRows } from "./documents.ts";
import { examplesOf, roundedWeights, train } from "./examples.ts";
import { corporaFolder, promptRows } from "./prompt-corpora.ts";
import { headlineOf, summary, tablesOf } from "./summary.ts";

/**
 * `npm run firewall:train` writes the weights, the calibration, the thresholds and the figures of the folds by the protocol in `bench/PROTOCOL.md`, and prints how
 * texts of unseen folds are judged. `-- --dry` writes nothing and trains only the folds. `-- --seed 1` draws other texts, in another order.
 */
const rows = promptRows(corporaFolder);
if (rows === null) throw new Error(`No prompts.jsonl.gz in ${corporaFolder}: set FIREWALL_CORPORA`);
const folder = join(import.meta.dirname, "../src/prompt");
const report = (done: string) => process.stderr.write(`… ${done}\n`);
const trained = rows.filter(({ train: may }) => may !== false);
const files = packageRows(join(import.meta.dirname, "../../../node_modules"));
const { values: options } = parseArgs({
  options: { dry: { type: "boolean" }, seed: { type: "string", default: "0" } },
});
const seed = 1000 * Number(options.seed);
const examples = examplesOf([...trained, ...files.filter(({ isTrained }) => isTrained)], seed);
const unseenFiles = files.filter(({ isTrained }) => !isTrained);
const scored = crossScored(trained, examples, unseenFiles, seed, report);
const texts = judged(scored);
const thresholds = thresholdsFrom(texts);
console.log(summary(texts, thresholds));
if (!options.dry) {
  const coefficients = fitted(scored);
  writeFileSync(
    join(folder, "calibration.ts"),
    `import type { Calibration } from "./score.ts";

/** Written by \`npm run firewall:train\`: see \`numbersOf\`. */
export const calibration: Calibration = {
  coefficients: [${coefficients.join(", ")}],
  thresholds: { review: ${thresholds.review}, block: ${thresholds.block} },
};
`,
  );
  writeWeights(roundedWeights(train(examples, seed)));
  saveHeadline(headlineOf(texts, thresholds));
  saveFigures("folds", measurementOf(new Date(), VERSION, tablesOf(texts, thresholds)));
}

function writeWeights(weights: Int8Array): void {
  const packed = Buffer.from(pack(weights)).toString("base64");
  const digest = createHash("sha256").update(packed).digest("hex").slice(0, 16);
  writeFileSync(
    join(folder, "likelihood-weights.ts"),
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
  console.log(`${weights.filter((weight) => weight !== 0).length} weights, ${packed.length} characters, ${digest}`);
}

/** A bit for each weight, whether it is not zero, then those that are not. */
function pack(weights: Int8Array): number[] {
  const bits = new Uint8Array(weights.length >> 3);
  for (const [index, weight] of weights.entries())
    if (weight !== 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  return [...bits, ...Uint8Array.from(weights.filter((weight) => weight !== 0))];
}
