import { knownAccounts } from "./chain/accounts.ts";
import { KNOWN_TOKENS, type KnownToken } from "./chain/known-tokens.ts";
import * as textRules from "./payment-texts/rules.ts";
import { requestPatterns, standsOut } from "./prompt/latent.ts";
import { thresholds, windowWords } from "./prompt/likelihood.ts";
import { weightsDigest } from "./prompt/likelihood-weights.ts";
import { markPatterns } from "./prompt/marks.ts";
import { orderPatterns } from "./prompt/orders.ts";
import { phrases } from "./prompt/phrases.ts";
import { roles } from "./prompt/roles.ts";
import { promptRules } from "./prompt/rules.ts";
import { senseLists } from "./prompt/senses.ts";
import { otherSenses } from "./prompt/senses-others.ts";
import { sentenceWeightsDigest } from "./prompt/sentence-weights.ts";
import { reportPatterns, taskPatterns } from "./prompt/tasks.ts";
import * as secretRules from "./secrets/rules.ts";
import { commonWords } from "./text/common-words.ts";
import { lexicon } from "./text/lexicon.ts";
import { COMMANDS, ORDER_COMMANDS } from "./transaction/commands.ts";
import type { KnownFunction } from "./transaction/effects.ts";
import { FUNCTIONS } from "./transaction/functions.ts";
import { transactionRules } from "./transaction/rules.ts";
import { rulesetVersion } from "./verdict.ts";
import { x402Names, x402Rules } from "./x402/rules.ts";

/** Changed by hand when the code that reads the rules changes. A change of the rules changes the digest. */
export const VERSION = "2.5.0";

const described = ({ selector, signature, effects, isPayable }: KnownFunction) => [
  selector,
  signature,
  effects,
  isPayable,
];

const printable = ({ ceiling, ...token }: KnownToken) => ({ ...token, ceiling: ceiling.toString() });

/** The tables of the three scans. They are one ruleset, because the scans use each other. */
export const rulesetTables = {
  transactionRules,
  functions: FUNCTIONS.map(described),
  commands: [...COMMANDS, ...ORDER_COMMANDS].map(described),
  knownAccounts,
  knownTokens: KNOWN_TOKENS.map(printable),
  x402Rules,
  x402Names,
  textRules,
  promptRules,
  phrases,
  markPatterns,
  orderPatterns,
  taskPatterns,
  reportPatterns,
  lexicon,
  commonWords,
  secretRules,
  sentences: { standsOut, requestPatterns, senseLists, otherSenses, sentenceWeightsDigest },
  likelihood: { thresholds, windowWords, roles, weightsDigest },
};

/** The version of the package, a plus sign, and a digest of all rules and weights: answers with the same one are comparable. */
export const RULESET_VERSION = rulesetVersion(VERSION, rulesetTables);
