import type { Rule } from "../verdict.ts";

/** The rules of the prompt scanner. Where several share a code, the lighter ones count only together with others. */
export const promptRules = {
  override: {
    code: "INSTRUCTION_OVERRIDE",
    severity: "high",
    message: "The text instructs the reader to ignore its instructions.",
  },
  dictated: {
    code: "INSTRUCTION_OVERRIDE",
    severity: "medium",
    message: "The text dictates a reply that would show that the reader was taken over.",
  },
  addressed: {
    code: "INSTRUCTION_OVERRIDE",
    severity: "medium",
    message: "The text addresses an AI that reads it, although it is about something else.",
  },
  latent: {
    code: "INSTRUCTION_OVERRIDE",
    severity: "medium",
    message: "One sentence speaks to a machine that reads the text, unlike the sentences around it.",
  },
  overrideHint: {
    code: "INSTRUCTION_OVERRIDE",
    severity: "low",
    message: "The text mentions new instructions, or ignoring earlier ones.",
  },
  hiddenContext: {
    code: "HIDDEN_CONTEXT_REQUEST",
    severity: "high",
    message: "The text asks for the system prompt or for other hidden instructions.",
  },
  hiddenContextHint: {
    code: "HIDDEN_CONTEXT_REQUEST",
    severity: "low",
    message: "The text asks about the reader's instructions.",
  },
  exfiltration: {
    code: "SECRET_EXFILTRATION_REQUEST",
    severity: "critical",
    message: "The text asks the reader to reveal keys, passwords or other secrets.",
  },
  secretFile: {
    code: "SECRET_EXFILTRATION_REQUEST",
    severity: "high",
    message: "The text asks the reader to read a file of secrets and pass it on.",
  },
  secretRequest: {
    code: "SECRET_EXFILTRATION_REQUEST",
    severity: "low",
    message: "The text asks about keys, passwords or other secrets.",
  },
  unconfirmed: {
    code: "UNCONFIRMED_FINANCIAL_ACTION",
    severity: "high",
    message: "The text asks the reader to move money without its owner's consent.",
  },
  payOrder: {
    code: "UNCONFIRMED_FINANCIAL_ACTION",
    severity: "medium",
    message: "The text orders an agent to pay or to sign, or changes who is paid.",
  },
  financialHint: {
    code: "UNCONFIRMED_FINANCIAL_ACTION",
    severity: "low",
    message: "The text asks the reader to move money immediately or in full, or to change a limit.",
  },
  bypass: {
    code: "SAFEGUARD_BYPASS",
    severity: "high",
    message: "The text asks the reader to work without its safeguards.",
  },
  conceal: {
    code: "SAFEGUARD_BYPASS",
    severity: "medium",
    message: "The text asks the reader to keep something from the person it works for.",
  },
  conclusion: {
    code: "SAFEGUARD_BYPASS",
    severity: "medium",
    message: "The text dictates the result to its reviewer.",
  },
  bypassHint: {
    code: "SAFEGUARD_BYPASS",
    severity: "low",
    message: "The text mentions working without rules, limits or filters.",
  },
  role: {
    code: "ROLE_SPOOFING",
    severity: "medium",
    message: "The text claims an authority or a role in the conversation that it does not have.",
  },
  roleHint: {
    code: "ROLE_SPOOFING",
    severity: "low",
    message: "The text assigns the reader a role, or contains markers of conversation turns.",
  },
  tool: {
    code: "TOOL_COERCION",
    severity: "medium",
    message: "The text urges the reader to call a tool or to run a command.",
  },
  errand: {
    code: "TOOL_COERCION",
    severity: "medium",
    message: "What looks like a tool's result or a report orders its reader to act.",
  },
  toolHint: {
    code: "TOOL_COERCION",
    severity: "low",
    message: "The text contains commands that read secrets or run other code.",
  },
  external: {
    code: "EXTERNAL_RESOURCE",
    severity: "medium",
    message: "The text directs the reader, or its data, to an external address.",
  },
  externalHint: {
    code: "EXTERNAL_RESOURCE",
    severity: "low",
    message: "The text contains an address through which data could leak.",
  },
  encoded: {
    code: "ENCODED_PAYLOAD",
    severity: "high",
    message: "Instructions were written in an encoded or disguised form.",
  },
  disguised: {
    code: "ENCODED_PAYLOAD",
    severity: "medium",
    message: "Ordinary words were written so that filters do not recognise them.",
  },
  encodedHint: {
    code: "ENCODED_PAYLOAD",
    severity: "low",
    message: "The text asks the reader to decode something and act on it.",
  },
  hiddenText: {
    code: "HIDDEN_TEXT",
    severity: "high",
    message: "Text was hidden in characters that are not displayed.",
  },
  hiddenMarkup: {
    code: "HIDDEN_TEXT",
    severity: "medium",
    message: "Instructions were placed where a reader of the page does not see them.",
  },
  hiddenRun: {
    code: "HIDDEN_TEXT",
    severity: "medium",
    message: "The text contains a row of characters that are not displayed.",
  },
  hiddenTextHint: {
    code: "HIDDEN_TEXT",
    severity: "low",
    message: "Words contain invisible characters or letters of another alphabet.",
  },
  likelihoodHigh: {
    code: "INJECTION_LIKELIHOOD",
    severity: "high",
    message: "The wording resembles known injection attempts closely.",
  },
  crowded: {
    code: "INJECTION_LIKELIHOOD",
    severity: "medium",
    message: "The text contains more words typical of injection attempts than are evaluated.",
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
  /**
   * Weights in a text that quotes or discusses attacks: `quoted` for its gravest finding, `quotedToo` for the others.
   * Together they never block.
   */
  quoted: { code: "", severity: "medium", message: "" },
  quotedToo: { code: "", severity: "low", message: "", weight: 3 },
} as const satisfies Record<string, Rule>;

export type PromptRule = keyof typeof promptRules;
