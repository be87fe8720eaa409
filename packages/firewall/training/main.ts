import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { examplesOf, roundedWeights, train } from "./examples.ts";
import { corporaFolder, promptRows } from "./prompt-corpora.ts";

const file = join(import.meta.dirname, "../src/prompt/likelihood-weights.ts");

/** `npm run firewall:train` writes the weights. `npm run firewall:cross` reports how well texts of unseen sources are judged. */
const rows = promptRows(corporaFolder);
if (rows === null) throw new Error(`No prompts.jsonl.gz in ${corporaFolder}: set FIREWALL_CORPORA`);
writeWeights(roundedWeights(train(examplesOf(rows.filter(({ train: may }) => may !== false)))));

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
