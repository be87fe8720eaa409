import { high, low, medium } from "../graded.ts";
import type { Rule } from "../verdict.ts";

/** Explains a suspect passage. It has no weight: the score is the model's. */
const explaining = <const Code extends string>(code: Code, message: string) => high(code, message, 0);

/** The rules of the prompt scanner. Those of weight 0 explain what the model found and are never found without it. */
export const promptRules = {
  exfiltration: explaining(
    "SECRET_EXFILTRATION_REQUEST",
    "The suspect passage asks for keys, passwords or other secrets.",
  ),
  unconfirmed: explaining("UNCONFIRMED_FINANCIAL_ACTION", "The suspect passage asks to move money or to sign."),
  override: explaining("INSTRUCTION_OVERRIDE", "The suspect passage replaces or ignores the reader's instructions."),
  hiddenContext: explaining(
    "HIDDEN_CONTEXT_REQUEST",
    "The suspect passage asks for the system prompt or for other hidden instructions.",
  ),
  bypass: explaining(
    "SAFEGUARD_BYPASS",
    "The suspect passage asks the reader to work without its safeguards, or behind its owner's back.",
  ),
  role: explaining("ROLE_SPOOFING", "The suspect passage claims an authority, or gives the reader another role."),
  tool: explaining("TOOL_COERCION", "The suspect passage asks the reader to call a tool or to run a command."),
  external: explaining("EXTERNAL_RESOURCE", "The suspect passage names an address outside."),
  encoded: explaining("ENCODED_PAYLOAD", "The suspect passage was written in an encoded or disguised form."),
  template: medium(
    "ROLE_SPOOFING",
    "The text contains tokens by which a model tells the turns of a conversation apart.",
  ),
  hiddenText: high("HIDDEN_TEXT", "Text was hidden in characters that are not displayed."),
  turnedText: medium(
    "HIDDEN_TEXT",
    "Characters that reverse the direction of writing make the text look different from what it says.",
  ),
  hiddenTextHint: low(
    "HIDDEN_TEXT",
    "Words contain invisible characters or letters of another alphabet, or stand beside a row of them.",
  ),
  likelihoodHigh: high("INJECTION_LIKELIHOOD", "The wording resembles known injection attempts closely.", 75),
  likelihood: medium("INJECTION_LIKELIHOOD", "The wording resembles known injection attempts."),
  /** Redacted. Not suspect by itself: documents are full of sample keys. */
  secret: medium("SECRET_PATTERN", "The text contains a key, password or other secret.", 12),
  walletSecret: high("SECRET_PATTERN", "The text contains a private key, a recovery phrase or a signed payment."),
} as const satisfies Record<string, Rule>;

export type PromptRule = keyof typeof promptRules;
