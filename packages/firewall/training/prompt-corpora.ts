import { resolve } from "node:path";
import { z } from "zod";
import { clean } from "../src/text/unfold.ts";
import { readRows } from "./rows.ts";

const label = z.literal([0, 1]);
const promptRow = z.object({
  id: z.string(),
  text: z.string(),
  label,
  source: z.string(),
  cat: z.string(),
  hard: z.string().optional(),
  lang: z.string().optional(),
  quotes_payload: z.boolean().optional(),
  train: z.boolean().optional(),
});
const evasionRow = z.object({ text: z.string(), technique: z.string(), label });
const secretRow = z.object({ text: z.string(), secret: z.string().nullable(), kind: z.string(), label });

export type PromptRow = z.output<typeof promptRow>;
export type EvasionRow = z.output<typeof evasionRow>;

/** FIREWALL_CORPORA, relative to the working directory. */
export const corporaFolder = resolve(process.env.FIREWALL_CORPORA ?? "../shared/corpora");

/** The rows of both collections, or null when neither is there. */
export const promptRows = (folder: string) => bothOf(folder, "prompts", promptRow);
export const evasionRows = (folder: string) => bothOf(folder, "evasions", evasionRow);
/** `file`: of the first collection, or of the second one, which has vendors that no pattern was written for. */
export const secretRows = (folder: string, file: "secrets.jsonl.gz" | "secrets-2.jsonl.gz") =>
  readRows(folder, file, secretRow);

function bothOf<Row>(folder: string, name: string, row: z.ZodType<Row>): Row[] | null {
  const [first, second] = [readRows(folder, `${name}.jsonl.gz`, row), readRows(folder, `${name}-2.jsonl.gz`, row)];
  return first || second ? [...(first ?? []), ...(second ?? [])] : null;
}

/** Categories (of the sources) of attacks that can be recognised from the text alone. */
const coreCategories = new Set(
  "override extraction prompt_stealing multilingual direct_injection instruction_override instruction-override prompt_injection indirect_injection payload_injection rag_poisoning prompt_leak prompt_extraction prompt-leaking system_extraction system_manipulation token_smuggling token_injection context_confusion agent_manipulation persona_replacement indirect-explicit direct_jailbreak data_leakage".split(
    " ",
  ),
);
const commonForeign =
  /^(?:und|nicht|ich|sie|der|die|das|ist|mir|est|que|los|por|para|una|le|les|du|mi|ne|koji|je|nas|hai|karo|ko)$/;
const foreignLetter = /[\u0370-\u1fff\u2c00-\uffef]/;
/** A text with more than this share of foreign words counts as multilingual. */
const foreignShareMax = 0.12;

/** Harmless texts that quote an attack are neither trained on nor counted as false alarms. */
export const isHarmless = (row: PromptRow): boolean => row.label === 0 && row.quotes_payload !== true;

/** Attacks are `core` (recognisable, English), `multilingual` (recognisable, other languages) or `other`. */
export function kindOf(row: PromptRow): "core" | "multilingual" | "other" | "benign" {
  if (row.label === 0) return "benign";
  if (!coreCategories.has(row.cat)) return "other";
  const words = clean(row.text).view.text.toLowerCase().split(/\s+/);
  const foreign = words.filter((word) => commonForeign.test(word) || foreignLetter.test(word)).length;
  return foreign > words.length * foreignShareMax ? "multilingual" : "core";
}
