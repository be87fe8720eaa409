import { weightBits } from "../src/prompt/likelihood-weights.ts";
import { scanWith } from "../src/prompt/scan.ts";

const nothing = { stretches: new Int8Array(1 << weightBits), sentences: new Int8Array(0) };

/** The scan by rules, without what the statistical models learnt. */
export const rulesOnly = (text: string) => scanWith({ text }, nothing);
