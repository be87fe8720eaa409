/** Lower-case words by class, separated by spaces. */
export const LEXICON = {
  override:
    "ignore disregard forget override bypass discard neglect dismiss suppress circumvent ignora ignorar olvida ignorez oubliez ignoriere ignorieren vergiss",
  disable: "bypass disable circumvent skip suspend deactivate override",
  prior:
    "previous prior above earlier all any your these those other preceding existing every system safety security former",
  rules:
    "instruction instructions prompt prompts rule rules guideline guidelines policy policies restriction restrictions directive directives safeguard safeguards guardrail guardrails warning warnings finding findings check checks filter filters limit limits",
  foreignRules: "instrucciones instruções anweisungen consignes istruzioni",
  safeguard:
    "safeguard safeguards guardrail guardrails firewall verification confirmation scanner filters checks approval",
  judge: "mark report treat flag classify consider rate label score grade",
  as: "as",
  say: "respond reply answer output return",
  with: "with",
  safe: "safe harmless benign trusted approved pass passed whitelisted legitimate clean verified",
  not: "not don never dont cannot without",
  tell: "report flag warn block mention tell alert notify raise disclose inform ask asking telling informing notifying",
  told: "finding findings user users owner human anyone operator warning warnings issue issues this it confirmation approval anything them",
  without: "without",
  asked: "confirmation approval asking review verification checking consent permission telling",
  pay: "approve pay sign transfer send execute authorize withdraw swap",
  you: "you",
  are: "are re",
  now: "now",
  persona:
    "mode assistant ai agent admin administrator unrestricted dan system developer bot model auditor jailbroken root operator",
  enter: "enter enable activate switch engage",
  modeKind: "developer audit god debug admin maintenance sudo dan jailbreak unrestricted override root",
  mode: "mode",
  act: "act pretend roleplay behave",
  power: "admin administrator root unrestricted dan jailbroken developer",
  user: "user owner human customer operator",
  already: "already",
  agreed: "consented consent approved confirmed authorized authorised agreed accepted permitted",
  call: "call invoke run use trigger execute",
  tool: "x402v3payment x402payment sendtransaction signtransaction signtypeddata eth_sendtransaction transfer_funds send_payment sign_payment",
  give: "reveal print share send show leak give provide paste enter forward include upload export output submit post",
  hidden: "private seed secret recovery mnemonic system wallet signing",
  api: "api",
  apiKey: "key keys",
  slot: "header headers parameter parameters param query bearer authorization",
  hiddenThing: "key keys phrase phrases prompt mnemonic instructions words passphrase",
  strong: "private secret seed mnemonic pk privkey privatekey secretkey recovery",
  phraseWord: "mnemonic seed recovery backup passphrase",
  password:
    "password passwd passphrase apikey api_key secret_key client_secret private_key privatekey access_token auth_token",
  role: "system assistant developer",
  marker: "im_start inst system assistant",
} as const satisfies Record<string, string>;

/** `hex64` is 32 bytes written in hex. */
export type WordClass = keyof typeof LEXICON | "hex64";

/**
 * Classes in order, each at most `gap` words after the one before. The pattern does not start shortly after a word of
 * the class `unless`.
 */
export type Pattern = {
  /**
   * A `request` is an instruction unless a word of `slot` follows soon: then it explains where a client puts its key.
   */
  means: "instruction" | "request" | "secret";
  steps: readonly WordClass[];
  gap: number;
  unless?: "not";
};

export const PATTERNS: readonly Pattern[] = [
  { means: "instruction", steps: ["override", "prior", "rules"], gap: 3 },
  { means: "instruction", steps: ["override", "foreignRules"], gap: 4 },
  { means: "instruction", steps: ["disable", "safeguard"], gap: 3 },
  { means: "instruction", steps: ["judge", "as", "safe"], gap: 5 },
  { means: "instruction", steps: ["say", "with", "safe"], gap: 2 },
  { means: "instruction", steps: ["not", "tell", "told"], gap: 2 },
  { means: "instruction", steps: ["pay", "without", "asked"], gap: 6 },
  { means: "instruction", steps: ["you", "are", "now", "persona"], gap: 4 },
  { means: "instruction", steps: ["enter", "modeKind", "mode"], gap: 3 },
  { means: "instruction", steps: ["act", "as", "power"], gap: 3 },
  { means: "instruction", steps: ["user", "already", "agreed"], gap: 3 },
  { means: "instruction", steps: ["call", "tool"], gap: 3 },
  { means: "instruction", steps: ["give", "hidden", "hiddenThing"], gap: 4, unless: "not" },
  { means: "request", steps: ["give", "api", "apiKey"], gap: 4, unless: "not" },
  { means: "secret", steps: ["strong", "hex64"], gap: 8 },
  { means: "secret", steps: ["hex64", "strong"], gap: 8 },
];

/** Words that end a row of seed words: no BIP-39 list has them. */
export const STOP_WORDS =
  "the and for with this that from are was were has have will not your our its his her they them you all any per into been being than then when which their these those can may must should would could also";

export const SEED_WORDS_MIN = 12;

/** Letters of other scripts that look like Latin ones. */
export const LOOKALIKE_LETTERS: Readonly<Record<string, string>> = {
  а: "a",
  в: "b",
  с: "c",
  ԁ: "d",
  е: "e",
  һ: "h",
  і: "i",
  ј: "j",
  к: "k",
  ӏ: "l",
  м: "m",
  н: "h",
  о: "o",
  р: "p",
  ѕ: "s",
  т: "t",
  у: "y",
  х: "x",
  α: "a",
  ε: "e",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
};

/** Prefixes of the keys of well-known services, and how many characters of a key must follow. */
export const KEY_PREFIXES: readonly (readonly [prefix: string, following: number])[] = [
  ["sk-", 20],
  ["sk_live_", 16],
  ["sk_test_", 16],
  ["rk_live_", 16],
  ["ghp_", 20],
  ["gho_", 20],
  ["ghu_", 20],
  ["ghs_", 20],
  ["ghr_", 20],
  ["github_pat_", 20],
  ["AKIA", 16],
  ["ASIA", 16],
  ["AIza", 30],
  ["xoxb-", 10],
  ["xoxp-", 10],
  ["xoxa-", 10],
  ["xapp-", 10],
  ["glpat-", 16],
  ["npm_", 30],
  ["whsec_", 16],
  ["ak_live_", 12],
  ["ak_test_", 12],
];
