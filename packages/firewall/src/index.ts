/**
 * Three scanners for AI agents that read untrusted text and pay: prompts, EVM transactions and x402 payment requirements.
 * Each is a synchronous, pure function: no network, no clock, no state between calls. The same input gives the same answer
 * under the same `RULESET_VERSION`, in Node and in a browser.
 */

export { type FoundSecret, findSecrets } from "./find-secrets.ts";
export { type GuardOptions, type GuardReport, guardJson, guardText, WITHHELD } from "./guard.ts";
export { type PromptInput, type PromptScan, type Signal, scanPrompt } from "./prompt/scan.ts";
export { RULESET_VERSION } from "./ruleset.ts";
export { isIgnored as isIgnoredMember } from "./transaction/members.ts";
export { scanTransaction, type TransactionScan } from "./transaction/scan.ts";
export type { Argument, Call } from "./transaction/walk.ts";
export type { Conclusion, Finding, Severity, Span, Verdict } from "./verdict.ts";
export { type NormalizedOption, scanX402, type X402Scan } from "./x402/scan.ts";
