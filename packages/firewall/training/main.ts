import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { sentenceFeatures } from "../src/prompt/sentences.ts";
import { examplesOf, roundedWeights, train } from "./examples.ts";
import { corporaFolder, promptRows } from "./prompt-corpora.ts";
import { sentenceExamples, trainSentences } from "./sentences.ts";

/** `npm run firewall:train` writes the weights, `-- --sentences` only those of the model of sentences. `npm run firewall:cross` reports how well texts of unseen sources are judged. */
const rows = promptRows(corporaFolder);
if (rows === null) throw new Error(`No prompts.jsonl.gz in ${corporaFolder}: set FIREWALL_CORPORA`);
const mine = rows.filter(({ train: may }) => may !== false);
const digestNames = {
  "likelihood-weights.ts": "weightsDigest",
  "sentence-weights.ts": "sentenceWeightsDigest",
} as const;
write(
  "sentence-weights.ts",
  trainSentences(sentenceExamples(mine)),
  "",
  "decodedSentenceWeights",
  `${sentenceFeatures}`,
);
if (!process.argv.includes("--sentences"))
  write(
    "likelihood-weights.ts",
    roundedWeights(train(examplesOf(mine))),
    `export const weightBits = ${weightBits};\n`,
    "decodedWeights",
    "1 << weightBits",
  );

function write(
  file: keyof typeof digestNames,
  weights: Int8Array,
  head: string,
  decoded: string,
  length: string,
): void {
  const packed = Buffer.from(pack(weights)).toString("base64");
  const digest = createHash("sha256").update(packed).digest("hex").slice(0, 16);
  writeFileSync(
    join(import.meta.dirname, "../src/prompt", file),
    `import { unpacked } from "./packed.ts";

/** Written by \`npm run firewall:train\`. */
${head}export const ${digestNames[file]} = "${digest}";
export const packed${decoded.slice("decoded".length)} =
  "${packed}";

let weights: Int8Array | undefined;
export function ${decoded}(): Int8Array {
  weights ??= unpacked(packed${decoded.slice("decoded".length)}, ${length});
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
