import type { Draw } from "./attack-carriers.ts";
import { randomFrom } from "./attack-grammar.ts";
import type { PromptRow } from "./prompt-corpora.ts";
import { errands, latent, latentLast, latentLater, returned } from "./trial-parts.ts";
import { abroad, latentFourth } from "./trial-parts-fourth.ts";
import { placed } from "./wider-rows.ts";
import { trialLists } from "./written.ts";

const writtenTrials = ["fifth", "fifthHarmless", "sixth", "sixthHarmless", "abroadSecond"] as const;
/** The categories of the texts that are made to measure with. */
export const TRIALS = ["latent", "later", "last", "fourth", "abroad", "errand", "returned", ...writtenTrials] as const;
export type Trial = (typeof TRIALS)[number];
export const isTrial = ({ cat }: PromptRow): boolean => cat.startsWith("trial ");
export const trialOf = (row: PromptRow, trial: Trial): boolean => row.cat === `trial ${trial}`;

/** How often each instruction is put into a document. */
const hostsEach = 3;
const [hostLengthMin, hostLengthMax] = [200, 1500];

/**
 * Instructions in harmless documents of the given rows, errands in what a tool returned, and the same without an errand.
 * No training has the instructions, so with weights trained without the rows both parts are unseen.
 */
export function trialRows(rows: readonly PromptRow[], seed: number): PromptRow[] {
  const random = randomFrom(seed);
  const draw: Draw = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number]; // The index is less than the length.
  const hosts = rows.filter((row) => row.label === 0 && !row.quotes_payload && row.text.length >= hostLengthMin);
  if (hosts.length === 0) return [];
  const times = <T>(list: readonly T[]) => list.flatMap((one) => Array.from({ length: hostsEach }, () => one));
  const rowOf = (trial: Trial, index: number, { source }: PromptRow, text: string, label: 0 | 1): PromptRow => ({
    id: `trial-${trial}-${source}-${index}`,
    text,
    label,
    source,
    cat: `trial ${trial}`,
  });
  const documents = (text: string, trial: Trial, index: number): PromptRow => {
    const host = draw(hosts);
    const label = trial.endsWith("Harmless") ? 0 : 1;
    return rowOf(trial, index, host, placed(draw, text, host.text.slice(0, hostLengthMax)), label);
  };
  const ofTools = (errand: string, index: number): PromptRow[] => {
    const [host, form] = [draw(hosts), draw(returned)];
    const content = host.text.slice(0, hostLengthMax);
    const within = (text: string) =>
      form.replace("*", () => (form.startsWith("{") ? JSON.stringify(text).slice(1, -1) : text));
    return [
      rowOf("errand", index, host, within(placed(draw, errand, content)), 1),
      rowOf("returned", index, host, within(content), 0),
    ];
  };
  return [
    ...times(latent).map((text, index) => documents(text, "latent", index)),
    ...times(errands).flatMap(ofTools),
    ...times(latentLater).map((text, index) => documents(text, "later", index)),
    ...times(latentLast).map((text, index) => documents(text, "last", index)),
    ...times(latentFourth).map((text, index) => documents(text, "fourth", index)),
    ...times(abroad).map((text, index) => documents(text, "abroad", index)),
    ...writtenTrials.flatMap((trial) => trialLists[trial]().map((text, index) => documents(text, trial, index))),
  ];
}
