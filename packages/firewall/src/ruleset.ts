import { knownAccounts } from "./chain/accounts.ts";
import { KNOWN_TOKENS, type KnownToken } from "./chain/known-tokens.ts";
import * as textRules from "./payment-texts/rules.ts";
import { thresholds, windowWords } from "./prompt/likelihood.ts";
import { weightsDigest } from "./prompt/likelihood-weights.ts";
import { markPatterns } from "./prompt/marks.ts";
import { orderPatterns } from "./prompt/orders.ts";
import { phrases } from "./prompt/phrases.ts";
import { promptRules } from "./prompt/rules.ts";
import * as secretRules from "./secrets/rules.ts";
import { commonWords } from "./text/common-words.ts";
import { lexicon } from "./text/lexicon.ts";
import { COMMANDS } from "./transaction/commands.ts";
import type { KnownFunction } from "./transaction/effects.ts";
import { FUNCTIONS } from "./transaction/functions.ts";
import { transactionRules } from "./transaction/rules.ts";
import { rulesetVersion } from "./verdict.ts";
import { x402Names, x402Rules } from "./x402/rules.ts";

/** Raised by hand for a change of the code that reads the rules; a change of the rules themselves shows in the digest. */
export const VERSION = "1.0.1";

const judged = ({ selector, signature, effects, isPayable }: KnownFunction) => [
  selector,
  signature,
  effects,
  isPayable,
];

const told = ({ ceiling, ...token }: KnownToken) => ({ ...token, ceiling: ceiling.toString() });

/** All that the three scans are told by tables. They are one ruleset, for they read each other's texts. */
export const rulesetTables = {
  transactionRules,
  functions: FUNCTIONS.map(judged),
  commands: COMMANDS.map(judged),
  knownAccounts,
  knownTokens: KNOWN_TOKENS.map(told),
  x402Rules,
  x402Names,
  textRules,
  promptRules,
  phrases,
  markPatterns,
  orderPatterns,
  lexicon,
  commonWords,
  secretRules,
  likelihood: { thresholds, windowWords, weightsDigest },
};

export const RULESET_VERSION = rulesetVersion(VERSION, rulesetTables);
