import { knownAccounts } from "./accounts";
import { commonWords } from "./common-words";
import { KNOWN_TOKENS, type KnownToken } from "./known-tokens";
import { lexicon } from "./lexicon";
import { thresholds, windowWords } from "./likelihood";
import { weightsDigest } from "./likelihood-weights";
import { markPatterns } from "./marks";
import { orderPatterns } from "./orders";
import { phrases } from "./phrases";
import { promptRules } from "./prompt-rules";
import * as secretRules from "./secret-rules";
import { COMMANDS, FUNCTIONS, type KnownFunction } from "./selectors";
import * as textRules from "./text-rules";
import { transactionRules } from "./transaction-rules";
import { rulesetVersion } from "./verdict";
import { x402Names, x402Rules } from "./x402-rules";

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
