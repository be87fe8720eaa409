import { weightPerWord } from "../src/prompt/likelihood.ts";
import { Rooms } from "../src/prompt/read-words.ts";
import { readingsOf } from "../src/prompt/readings.ts";
import { numbersOf } from "../src/prompt/score.ts";
import { clean } from "../src/text/unfold.ts";
import { type Example, roundedWeights, textKey, train } from "./examples.ts";
import { foldCount, foldOf } from "./folds.ts";
import { type MeasuredText, measuredTexts } from "./measured-texts.ts";
import type { PromptRow } from "./prompt-corpora.ts";

/** A text with the numbers of each of its readings, the text as written first. `weights` have seen nothing of its fold. */
export type Scored = MeasuredText & { fold: number; readings: Float64Array[] };

/** The fold of files that no fold's weights were trained on. */
export const filesFold = foldCount;

/** Every row that may be trained on and `files`, each scored with weights that have not seen its fold. */
export function crossScored(
  rows: readonly PromptRow[],
  examples: readonly Example[],
  files: readonly PromptRow[],
  seed: number,
  report: (done: string) => void,
): Scored[] {
  return Array.from({ length: foldCount }, (_, fold) => fold).flatMap((fold) => {
    const unseen = rows.filter(({ source }) => foldOf(source) === fold);
    const sources = new Set(unseen.map(({ source }) => source));
    const keys = new Set(unseen.map(({ text }) => textKey(text)));
    const seen = examples.filter(
      (example) => !example.sources.some((source) => sources.has(source)) && !keys.has(example.key),
    );
    const weights = roundedWeights(train(seen, seed));
    report(`fold ${fold + 1} of ${foldCount}, trained on ${seen.length} texts`);
    const own = measuredTexts(unseen, fold).map((text) => scored(text, weights, fold));
    return fold > 0
      ? own
      : [...own, ...measuredTexts(files, filesFold).map((text) => scored(text, weights, filesFold))];
  });
}

const rooms = new Rooms();

export function scored(measured: MeasuredText, weights: Int8Array, fold: number): Scored {
  const { view, unseen } = clean(measured.text);
  const readings = [...readingsOf(view, unseen, rooms)].map(
    ({ words, isDecoded }) => numbersOf(words.count, weightPerWord(words, weights), isDecoded).values,
  );
  rooms.clear();
  return { ...measured, fold, readings };
}
