import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "written");
const linesOf = (file: string): readonly string[] =>
  readFileSync(join(folder, `${file}.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "");

/**
 * Sentences of documents, written for this purpose by several writers who saw neither the rules nor one another's lists: instructions
 * that speak to a machine, and harmless ones of the same kinds of documents, and of prompts. One a line.
 */
export const writtenInstructions = (): readonly string[] => [
  ...linesOf("instructions"),
  ...linesOf("instructions-abroad"),
];
/** In English, and in other languages. */
export const writtenHarmless = () => [linesOf("harmless"), linesOf("harmless-abroad")] as const;

/** Harmless prompts, messages and sentences of handbooks in the words of attacks. Both models learn them. */
export const writtenPrompts = (): readonly string[] => [...linesOf("prompts"), ...linesOf("prompts-abroad")];

/**
 * Lists to measure with, by further writers: no training has them. Thresholds and features were chosen with the fifth list in
 * view; by the sixth and the second one in other languages nothing was chosen.
 */
export const trialLists = {
  fifth: () => linesOf("trial-fifth"),
  fifthHarmless: () => linesOf("trial-fifth-harmless"),
  sixth: () => linesOf("trial-sixth"),
  sixthHarmless: () => linesOf("trial-sixth-harmless"),
  abroadSecond: () => linesOf("trial-abroad-second"),
} as const;
