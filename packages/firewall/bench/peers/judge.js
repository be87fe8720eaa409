/** Reads texts as JSON lines. Writes the names of the scanners that flag each, set up as documented, with their default thresholds. hai-guardrails is not among them: as published it looks for a file of its build machine. */
import { createInterface } from "node:readline";
import vard from "@andersmyrmel/vard";
import { createGuardrails } from "@mjjuneja/llm-guardrails";
import { Guard, promptInjection } from "llm-io-guard";
import { detect } from "llm-prompt-guard";
import { isInputSafe } from "llmverify";

const lengthMax = 1_000_000;
const ioGuard = new Guard({ input: [promptInjection()], onViolation: "block" });
const guardrails = createGuardrails({ blockPromptInjection: true, redactPII: false, redactSecrets: false });
const moderate = vard.moderate().maxLength(lengthMax);
const peers = {
  "llm-io-guard": async (text) => !(await ioGuard.scanInput(text)).allowed,
  "@mjjuneja/llm-guardrails": (text) => guardrails.validateInput(text).blocked,
  "llm-prompt-guard": detect,
  "@andersmyrmel/vard": (text) => !moderate.safeParse(text).safe,
  llmverify: (text) => !isInputSafe(text),
};

process.stdout.write(`${JSON.stringify(Object.keys(peers))}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  const flagged = [];
  for (const [name, isFlagged] of Object.entries(peers)) if (await isFlagged(text)) flagged.push(name);
  process.stdout.write(`${JSON.stringify(flagged)}\n`);
}
