import { type Network, NETWORKS as TABLE } from "../../x402/src/networks.ts";
import { tablesByScan } from "./ruleset.ts";
import { digestOf } from "./verdict.ts";

/** The tables behind the verdicts, for documentation and for tests. Their content changes with `RULESET_VERSION`. */
export { KNOWN_TOKENS, type KnownToken } from "./chain/known-tokens.ts";
export { promptRules } from "./prompt/rules.ts";
export { promptLimitations } from "./prompt/scan.ts";
export { rulesetTables } from "./ruleset.ts";
export { COMMANDS } from "./transaction/commands.ts";
export type { Effect, KnownFunction, Path } from "./transaction/effects.ts";
export { FUNCTIONS } from "./transaction/functions.ts";
export { transactionRules } from "./transaction/rules.ts";
export { TRANSACTION_LIMITATIONS } from "./transaction/scan.ts";
export { x402Rules } from "./x402/rules.ts";
export { X402_LIMITATIONS } from "./x402/scan.ts";

/** By scan: a digest of its own tables. Not beside the version: a scan needs none of them, and each start would compute them. */
export const rulesetDigests = {
  transaction: digestOf(tablesByScan.transaction),
  x402: digestOf(tablesByScan.x402),
  prompt: digestOf(tablesByScan.prompt),
  shared: digestOf(tablesByScan.shared),
};

/** The networks on which x402 payments in USDC are judged in full. */
export const NETWORKS: readonly Network[] = Object.values(TABLE);
export type { Network };
