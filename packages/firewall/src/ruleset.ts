import { knownAccounts } from "./chain/accounts.ts";
import { KNOWN_TOKENS, type KnownToken } from "./chain/known-tokens.ts";
import { keyPhrases, paymentPhrases } from "./payment-texts/phrases.ts";
import { calibration } from "./prompt/calibration.ts";
import { explanations } from "./prompt/explain.ts";
import { windowWords } from "./prompt/likelihood.ts";
import { weightsDigest } from "./prompt/likelihood-weights.ts";
import { roles } from "./prompt/roles.ts";
import { promptRules } from "./prompt/rules.ts";
import { shortWords } from "./prompt/score.ts";
import { templateTokens } from "./prompt/template.ts";
import * as secretRules from "./secrets/rules.ts";
import { commonWords } from "./text/common-words.ts";
import { lexicon } from "./text/lexicon.ts";
import { COMMANDS, ORDER_COMMANDS } from "./transaction/commands.ts";
import type { KnownFunction } from "./transaction/effects.ts";
import { FUNCTIONS } from "./transaction/functions.ts";
import { transactionRules } from "./transaction/rules.ts";
import { rulesetVersion } from "./verdict.ts";
import { gateway, x402Names, x402Rules } from "./x402/rules.ts";

/** Changed by hand when the code that reads the rules changes. A change of the rules changes the digest. */
export const VERSION = "3.0.0";

const described = ({ selector, signature, effects, isPayable }: KnownFunction) => [
  selector,
  signature,
  effects,
  isPayable,
];

const printable = ({ ceiling, ...token }: KnownToken) => ({ ...token, ceiling: ceiling.toString() });

const transactionTables = {
  transactionRules,
  functions: FUNCTIONS.map(described),
  commands: [...COMMANDS, ...ORDER_COMMANDS].map(described),
  knownAccounts,
  knownTokens: KNOWN_TOKENS.map(printable),
};
const x402Tables = { x402Rules, x402Names, gateway };
const promptTables = {
  promptRules,
  explanations,
  templateTokens,
  lexicon,
  commonWords,
  likelihood: { calibration, windowWords, shortWords, roles, weightsDigest },
};
/** By scan. `shared`: of all scans, each of which reads texts and looks for secrets. */
export const tablesByScan = {
  transaction: transactionTables,
  x402: x402Tables,
  prompt: promptTables,
  shared: { keyPhrases, paymentPhrases, secretRules },
};

/** The tables of the three scans. They are one ruleset, because the scans use each other. */
export const rulesetTables = { ...transactionTables, ...x402Tables, ...promptTables, ...tablesByScan.shared };

/** The version of the package, a plus sign, and a digest of all rules and weights: answers with the same one are comparable. */
export const RULESET_VERSION = rulesetVersion(VERSION, rulesetTables);
