import type { Rule } from "../verdict.ts";

/** Explains a suspect passage. It has no weight: the score is the model's. */
const explaining = { severity: "high", weight: 0 } as const;

/** The rules of the prompt scanner. Those of weight 0 explain what the model found and are never found without it. */
export const promptRules = {
  exfiltration: {
    ...explaining,
    code: "SECRET_EXFILTRATION_REQUEST",
    message: "The suspect passage asks for keys, passwords or other secrets.",
  },
  unconfirmed: {
    ...explaining,
    code: "UNCONFIRMED_FINANCIAL_ACTION",
    message: "The suspect passage asks to move money or to sign.",
  },
  override: {
    ...explaining,
    code: "INSTRUCTION_OVERRIDE",
    message: "The suspect passage replaces or ignores the reader's instructions.",
  },
  hiddenContext: {
    ...explaining,
    code: "HIDDEN_CONTEXT_REQUEST",
    message: "The suspect passage asks for the system prompt or for other hidden instructions.",
  },
  bypass: {
    ...explaining,
    code: "SAFEGUARD_BYPASS",
    message: "The suspect passage asks the reader to work without its safeguards, or behind its owner's back.",
  },
  role: {
    ...explaining,
    code: "ROLE_SPOOFING",
    message: "The suspect passage claims an authority, or gives the reader another role.",
  },
  tool: {
    ...explaining,
    code: "TOOL_COERCION",
    message: "The suspect passage asks the reader to call a tool or to run a command.",
  },
  external: {
    ...explaining,
    code: "EXTERNAL_RESOURCE",
    message: "The suspect passage names an address outside.",
  },
  encoded: {
    ...explaining,
    code: "ENCODED_PAYLOAD",
    message: "The suspect passage was written in an encoded or disguised form.",
  },
  template: {
    code: "ROLE_SPOOFING",
    severity: "medium",
    message: "The text contains tokens by which a model tells the turns of a conversation apart.",
  },
  hiddenText: {
    code: "HIDDEN_TEXT",
    severity: "high",
    message: "Text was hidden in characters that are not displayed.",
  },
  turnedText: {
    code: "HIDDEN_TEXT",
    severity: "medium",
    message: "Characters that reverse the direction of writing make the text look different from what it says.",
  },
  hiddenTextHint: {
    code: "HIDDEN_TEXT",
    severity: "low",
    message: "Words contain invisible characters or letters of another alphabet, or stand beside a row of them.",
  },
  likelihoodHigh: {
    code: "INJECTION_LIKELIHOOD",
    severity: "high",
    message: "The wording resembles known injection attempts closely.",
    weight: 75,
  },
  likelihood: {
    code: "INJECTION_LIKELIHOOD",
    severity: "medium",
    message: "The wording resembles known injection attempts.",
  },
  /** Redacted. Not suspect by itself: documents are full of sample keys. */
  secret: {
    code: "SECRET_PATTERN",
    severity: "medium",
    message: "The text contains a key, password or other secret.",
    weight: 12,
  },
  walletSecret: {
    code: "SECRET_PATTERN",
    severity: "high",
    message: "The text contains a private key, a recovery phrase or a signed payment.",
  },
} as const satisfies Record<string, Rule>;

export type PromptRule = keyof typeof promptRules;
