import { COMMANDS, FUNCTIONS, type KnownFunction } from "./selectors";
import { KEY_PREFIXES, LEXICON, LOOKALIKE_LETTERS, PATTERNS, SEED_WORDS_MIN, STOP_WORDS } from "./text-rules";
import { transactionRules } from "./transaction-rules";
import { rulesetVersion } from "./verdict";
import { x402Rules } from "./x402-rules";

const judged = ({ selector, signature, effects, isPayable }: KnownFunction) => [
  selector,
  signature,
  effects,
  isPayable,
];

/** Raised by hand for a change of the code that reads the rules; a change of the rules themselves shows in the digest. */
const VERSION = "1.0.0";

export const RULESET_VERSION = rulesetVersion(VERSION, {
  transaction: [transactionRules, FUNCTIONS.map(judged), COMMANDS.map(judged)],
  x402: x402Rules,
  text: [LEXICON, PATTERNS, STOP_WORDS, SEED_WORDS_MIN, LOOKALIKE_LETTERS, KEY_PREFIXES],
});
