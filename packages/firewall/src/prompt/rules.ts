import { rulesOf } from "../graded.ts";

/** The rules of the prompt scanner. Those of weight 0 explain what the model found and are never found without it. */
export const promptRules = rulesOf({
  exfiltration: "high 0 SECRET_EXFILTRATION_REQUEST: The suspect passage asks for keys, passwords or other secrets.",
  unconfirmed: "high 0 UNCONFIRMED_FINANCIAL_ACTION: The suspect passage asks to move money or to sign.",
  override: "high 0 INSTRUCTION_OVERRIDE: The suspect passage replaces or ignores the reader's instructions.",
  hiddenContext:
    "high 0 HIDDEN_CONTEXT_REQUEST: The suspect passage asks for the system prompt or for other hidden instructions.",
  bypass:
    "high 0 SAFEGUARD_BYPASS: The suspect passage asks the reader to work without its safeguards, or behind its owner's back.",
  role: "high 0 ROLE_SPOOFING: The suspect passage claims an authority, or gives the reader another role.",
  tool: "high 0 TOOL_COERCION: The suspect passage asks the reader to call a tool or to run a command.",
  external: "high 0 EXTERNAL_RESOURCE: The suspect passage names an address outside.",
  encoded: "high 0 ENCODED_PAYLOAD: The suspect passage was written in an encoded or disguised form.",
  template: "medium ROLE_SPOOFING: The text contains tokens by which a model tells the turns of a conversation apart.",
  hiddenText: "high HIDDEN_TEXT: Text was hidden in characters that are not displayed.",
  turnedText:
    "medium HIDDEN_TEXT: Characters that reverse the direction of writing make the text look different from what it says.",
  hiddenTextHint:
    "low HIDDEN_TEXT: Words contain invisible characters or letters of another alphabet, or stand beside a row of them.",
  likelihoodHigh: "high 75 INJECTION_LIKELIHOOD: The wording resembles known injection attempts closely.",
  likelihood: "medium INJECTION_LIKELIHOOD: The wording resembles known injection attempts.",
  /** Redacted. Not suspect by itself: documents are full of sample keys. */
  secret: "medium 12 SECRET_PATTERN: The text contains a key, password or other secret.",
  walletSecret: "high SECRET_PATTERN: The text contains a private key, a recovery phrase or a signed payment.",
});

export type PromptRule = keyof typeof promptRules;
