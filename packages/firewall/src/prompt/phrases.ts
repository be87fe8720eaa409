import type { PromptRule } from "./rules.ts";

/**
 * The phrases of each rule, as classes of words (lexicon.ts) in order. A number between two classes is how many other
 * words may separate them. `{a b}` matches in any order within the number of words that follows it; with a `~` after
 * it, its first word must be of another language. `@secret` is a word or a pair of words that names a secret.
 */
export const phrases: readonly (readonly [PromptRule, readonly string[]])[] = [
  [
    "override",
    [
      "override 2 prior 3 instr",
      "override 1 your 2 instr",
      "override 1 all 2 instr",
      "override 2 instr 3 after",
      "override 1 all 3 after",
      "override 0 after 3 instead 2 output",
      "override 1 prior 3 and 2 output",
      "hidden 0 fresh 0 instr",
      "not 0 follow 3 prior 2 instr",
      "not 0 follow 2 your 2 instr",
      "{override instr prior foreign} 12",
      "{override instr all foreign} 12",
      "{override prior foreign all} 7",
      "{override your instr foreign} 5",
      // Vietnamese "bỏ qua": its syllables are common on their own.
      "skip 0 past 6 instr 6 prior",
      "{follow not prior instr foreign} 9",
      "{override all foreign} 1",
    ],
  ],
  // "Have I been pwned" is a question. "I have been pwned" is what attacks make a reader say.
  [
    "dictated",
    [
      "output 8 taunt",
      "speech 8 taunt",
      "self 0 have 1 canary",
      "self 0 have 0 been 1 canary",
      "{been canary foreign} 3",
    ],
  ],
  ["overrideHint", ["override 0 instr", "fresh 0 instr", "override 1 prior"]],
  [
    "hiddenContext",
    [
      "show 4 yours 2 hidden 2 prompt",
      "show 3 hidden 0 prompt",
      "show 2 yours 0 prompt",
      "what 2 yours 2 hidden 1 prompt",
      "speech 2 everything 2 after",
      "{reveal~ hidden prompt foreign} 8",
      "{reveal~ prior prompt foreign} 6",
      "{reveal~ your prompt foreign} 7",
      "{reveal~ hidden instr your foreign} 7",
    ],
  ],
  ["hiddenContextHint", ["reveal 6 prompt", "what 4 your 1 prompt", "your 2 hidden 1 prompt"]],
  [
    "exfiltration",
    [
      "leak 1 owned 2 @secret",
      "exfil 3 owned 2 @secret 3 to 2 url",
      "exfil 1 owned 1 talk 1 all 1 @secret 3 to 3 url",
      "exfil 3 talk 1 @secret 3 to 3 url",
      "override 8 reveal 3 @secret",
      "override 8 exfil 3 @secret",
    ],
  ],
  ["secretRequest", ["ask 4 @secret", "exfil 5 @secret", "{exfil secret foreign} 6"]],
  [
    "unconfirmed",
    [
      "pay 6 money 12 without 2 confirm",
      "without 2 confirm 6 pay 6 money",
      "pay 3 all 3 money 8 urgent",
      "drain 4 money",
      "pay 6 money 10 not 2 confirm",
      "not 2 confirm 8 pay 6 money",
      "{pay~ money without confirm foreign} 12",
    ],
  ],
  ["financialHint", ["pay 2 all 3 money", "urgent 2 pay 4 money", "pay 6 money 8 urgent", "change 3 limit 4 to"]],
  [
    "bypass",
    [
      "bypass 1 yours 2 safety",
      "override 1 yours 2 safety",
      "enter 2 modeword 0 mode",
      "pretend 8 without 2 safety",
      "you 0 are 4 free",
      "not 0 refuse 4 you",
      "{output~ without safety foreign} 6",
    ],
  ],
  ["conceal", ["not 1 inform 2 person", "without 1 inform 2 person"]],
  ["bypassHint", ["bypass 3 safety", "modeword 0 mode", "without 2 safety", "not 0 refuse", "you 4 free"]],
  ["role", ["iam 3 your 1 authority", "this 2 your 1 authority", "hidden 0 override", "authority 0 override"]],
  ["roleHint", ["iam 3 authority", "pretend 3 you", "you 0 are 0 now", "pretend 2 modeword"]],
  ["tool", ["must 3 call 3 tool", "override 8 call 3 tool", "call 3 tool 6 urgent"]],
  ["external", ["exfil 4 talk 6 to 2 url", "visit 3 url 12 obey 3 instr"]],
  ["externalHint", ["ask 4 talk 4 to 2 url", "visit 1 url 12 and 1 obey"]],
  ["encodedHint", ["decode 6 and 3 obey", "obey 5 decode"]],
];
