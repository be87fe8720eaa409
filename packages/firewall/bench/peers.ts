import vard from "@andersmyrmel/vard";
import { createGuardrails } from "@mjjuneja/llm-guardrails";
import { Guard, promptInjection } from "llm-io-guard";
import { detect } from "llm-prompt-guard";
import { kindOf, type PromptRow } from "../training/prompt-corpora.ts";
import { shareText } from "../training/summary.ts";
import type { Measurement } from "./figures.ts";

type IsFlagged = (text: string) => boolean | Promise<boolean>;

const lengthMax = 1_000_000;
const ioGuard = new Guard({ input: [promptInjection()], onViolation: "block" });
const guardrails = createGuardrails({ blockPromptInjection: true, redactPII: false, redactSecrets: false });
const moderate = vard.moderate().maxLength(lengthMax);

/** Other scanners, set up for prompt injection as documented, with their default thresholds. */
const peers: readonly (readonly [name: string, isFlagged: IsFlagged])[] = [
  ["llm-io-guard", async (text) => !(await ioGuard.scanInput(text)).allowed],
  ["@mjjuneja/llm-guardrails", (text) => guardrails.validateInput(text).blocked],
  ["llm-prompt-guard", detect],
  ["@andersmyrmel/vard", (text) => !moderate.safeParse(text).safe],
];

const groups: readonly (readonly [name: string, is: (row: PromptRow) => boolean])[] = [
  ["core attacks", (row) => kindOf(row) === "core"],
  ["other languages", (row) => kindOf(row) === "multilingual"],
  ["harmless, easy", (row) => row.label === 0 && row.quotes_payload !== true && row.hard === undefined],
  ["harmless, like attacks", (row) => row.label === 0 && row.quotes_payload !== true && row.hard !== undefined],
];

/** The shares of the rows that other scanners flag. */
export async function peerTable(
  rows: readonly PromptRow[],
  report: (done: string) => void,
): Promise<Measurement["tables"]> {
  const lines = [["scanner", ...groups.map(([name]) => name)].join(" | ")];
  for (const [name, isFlagged] of peers) {
    report(`${name} over ${rows.length} texts`);
    const counts = groups.map(() => ({ flagged: 0, texts: 0 }));
    for (const row of rows) {
      const answer = isFlagged(row.text);
      const flagged = typeof answer === "boolean" ? answer : await answer;
      for (const [index, [, is]] of groups.entries()) {
        const count = counts[index];
        if (!count || !is(row)) continue;
        count.texts++;
        if (flagged) count.flagged++;
      }
    }
    lines.push([name, ...counts.map(({ flagged, texts }) => shareText(flagged, texts))].join(" | "));
  }
  return [{ title: "Both collections, without the texts held back", lines }];
}
