import { encodeFunctionData, type Hex } from "viem";
import type { SettlementId } from "@/lib/core/ids";
import { addSeconds, fromUnixSeconds } from "@/lib/core/time";
import type { Call, Fees } from "@/lib/platform/chain";
import type { Authorization } from "@/lib/x402/authorization";
import { MULTICALL3, NETWORKS } from "@/lib/x402/networks";
import { MULTICALL_ABI, TOKEN_ABI } from "@/lib/x402/token";
import type { Settlement } from "./store";
import { OPEN, type SettlementState } from "./tables";

/** Why the token refuses an authorization. */
export type FailureCode =
  | "EXPIRED"
  | "ALREADY_USED"
  | "CANCELED"
  | "INSUFFICIENT_FUNDS"
  | "INVALID_SIGNATURE"
  | "ACCOUNT_BLOCKED"
  | "TOKEN_PAUSED"
  | "REVERTED"
  /** Not refused itself: another one of its group was, and they move together or not at all. */
  | "GROUP_FAILED"
  /** Nothing the chain said: we could not make a transaction of it, again and again. */
  | "UNSENDABLE"
  /** Its payer's code has used the gas that we spend on one payer in an hour. */
  | "GAS_BUDGET_SPENT";

/**
 * What a refusal by the token means: an end, an end unless it was used before, a use to look up, or only that the chain's
 * clock is behind ours.
 */
export type Refusal =
  | { next: "fail"; code: FailureCode }
  | { next: "fail_if_unused"; code: FailureCode }
  | { next: "look_up" }
  | { next: "wait" };

/** Revert texts of Circle's FiatToken v2.2; another token's text is an end without a name. */
const REASONS: [RegExp, Refusal][] = [
  [/authorization is expired/i, { next: "fail_if_unused", code: "EXPIRED" }],
  [/not yet valid/i, { next: "wait" }],
  [/used or canceled/i, { next: "look_up" }],
  [/exceeds balance/i, { next: "fail", code: "INSUFFICIENT_FUNDS" }],
  [/blacklisted/i, { next: "fail_if_unused", code: "ACCOUNT_BLOCKED" }],
  [/paused/i, { next: "fail_if_unused", code: "TOKEN_PAUSED" }],
  [/invalid signature|ECRecover/i, { next: "fail", code: "INVALID_SIGNATURE" }],
];

export const meaningOf = (reason: string): Refusal =>
  REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? { next: "fail", code: "REVERTED" };

export type PublicStatus = "pending" | "settled" | "failed";

/** The three answers anybody outside gets. */
export function publicStatus(state: SettlementState): PublicStatus {
  if (state === "settled") return "settled";
  return state === "void" ? "failed" : "pending";
}

/** The last second of year 9999: `validBefore` is a uint256, and a date is not. */
const DATE_MAX_SECONDS = 253_402_300_799n;

/** Until when a declined authorization can still move money; null in every other state. */
export function stillValidUntil({ state, validBefore }: Pick<Settlement, "state" | "validBefore">): Date | null {
  if (state !== "declined") return null;
  return fromUnixSeconds(Number(validBefore < DATE_MAX_SECONDS ? validBefore : DATE_MAX_SECONDS));
}

/** Why it was declined or is void; null in every other state. */
export const failureOf = ({ state, failureCode }: Pick<Settlement, "state" | "failureCode">): string | null =>
  state === "declined" || state === "void" ? failureCode : null;

/** The hash of a transaction that carries it, or moved it. The hash of one that moved nothing would read like a receipt. */
export const visibleTxHash = ({ state, txHash }: Pick<Settlement, "state" | "txHash">): Hex | null =>
  state === "declined" || state === "void" ? null : txHash;

export const BATCH_MAX = 100;
const BATCH_WORTH_SENDING = 25;
const BATCH_WAIT_SECONDS = 0.2;

/** Whether to send now: at once when nothing of ours is on its way, else when enough has gathered or waited long enough. */
export function isTimeToSend(queue: { waiting: number; oldest: Date | null; inFlight: number }, now: Date): boolean {
  if (queue.waiting === 0 || queue.oldest === null) return false;
  if (queue.inFlight === 0 || queue.waiting >= BATCH_WORTH_SENDING) return true;
  return now >= addSeconds(queue.oldest, BATCH_WAIT_SECONDS);
}

/** Gas that the token call of one transfer gets; unused gas is not paid for. */
const ACCOUNT_STIPEND = 120_000n;
/** The same where the payer's code judges its own signature. */
const CODE_STIPEND = 400_000n;
/** The most that one transaction may use: less than what a block or a node allows (EIP-7825: 2^24). */
export const TRANSACTION_GAS_MAX = 15_000_000n;

/** By the code at the payer's address, which can change between two blocks (EIP-7702). */
export const stipendOf = (code: Hex): bigint => (code === "0x" ? ACCOUNT_STIPEND : CODE_STIPEND);

/** Whether a transaction with this gas limit carried one transfer of a payer with code, by itself. */
export const isCodePayersOwn = (gasLimit: bigint, carried: number): boolean => carried === 1 && gasLimit > CODE_STIPEND;

/** From here on a transfer counts as heavy: smart wallets in use need about half. */
const HEAVY_GAS = 250_000n;

/**
 * What is counted against the hourly gas of a payer, whose transfer travelled with `carried - 1` others in a transaction
 * that used `gasUsed`: nothing for one that moved money at an ordinary cost, all it can have used for one that did not.
 */
export function gasCharged({ hasMoved, gasUsed, carried }: { hasMoved: boolean; gasUsed: bigint; carried: number }) {
  if (carried > 1) return hasMoved ? 0n : ACCOUNT_STIPEND;
  return hasMoved && gasUsed < HEAVY_GAS ? 0n : gasUsed;
}

/** Whether one more transfer of a payer with code fits into its hourly gas, after `spent` and with `underway` others. */
export const fitsGasBudget = (budget: bigint, { spent, underway }: { spent: bigint; underway: number }): boolean =>
  spent + BigInt(underway + 1) * CODE_STIPEND <= budget;

/** The token call that moves one authorization's money. The token takes an account's 65 bytes and a contract's alike. */
export function transferCall(s: Pick<Settlement, "network" | "signature" | AuthorizationColumn>): Call {
  const a = authorizationOf(s);
  const args = [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, s.signature] as const;
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: "transferWithAuthorization", args });
  return { to: NETWORKS[s.network].usdc, data };
}

type AuthorizationColumn = "payer" | "payee" | "amount" | "validAfter" | "validBefore" | "nonce";

/** One call that makes all of `transfers` or none, for a network without the settler. */
export function multicall(transfers: readonly { call: Call }[]): Call {
  const data = encodeFunctionData({
    abi: MULTICALL_ABI,
    functionName: "aggregate3",
    args: [transfers.map(({ call }) => ({ target: call.to, allowFailure: false, callData: call.data }))],
  });
  return { to: MULTICALL3, data };
}

export const authorizationOf = (s: Pick<Settlement, AuthorizationColumn>): Authorization => ({
  from: s.payer,
  to: s.payee,
  value: s.amount,
  validAfter: s.validAfter,
  validBefore: s.validBefore,
  nonce: s.nonce,
});

/** The most that a transaction may bid, as a multiple of what one would bid today. */
const RAISE_MAX = 10n;

/**
 * Fees for the same nonce again: a quarter more than before (pools ask for a tenth), or today's if that is higher. Null
 * when a quarter more would be absurd: what keeps it from being mined is not its price.
 */
export function raisedFees(before: Fees, today: Fees): Fees | null {
  const raise = (a: bigint, b: bigint) => ((a * 5n) / 4n + 1n > b ? (a * 5n) / 4n + 1n : b);
  const fees = {
    maxFeePerGas: raise(before.maxFeePerGas, today.maxFeePerGas),
    maxPriorityFeePerGas: raise(before.maxPriorityFeePerGas, today.maxPriorityFeePerGas),
  };
  return fees.maxFeePerGas > today.maxFeePerGas * RAISE_MAX ? null : fees;
}

/** What a group's legs, all of them and in whatever state, leave to be done with those that are open. */
export type Standing =
  /** Nothing has moved and all can: they go together. */
  | "whole"
  /** Somebody else moved one, so "not at all" is no longer possible: the others follow, each for itself. */
  | "begun"
  /** One was given up and none has moved: the others are given up too. */
  | "broken";

export function standingOf(legs: readonly Pick<Settlement, "state">[]): Standing {
  if (legs.some(({ state }) => state === "settled")) return "begun";
  return legs.some(({ state }) => state === "declined" || state === "void") ? "broken" : "whole";
}

/** Whether we work on it. */
export const isOpen = ({ state }: Pick<Settlement, "state">): boolean => OPEN.some((open) => open === state);

/** One leg of a group of which nothing has moved: what the token would say to it, and whether it says that it is spent. */
export type Leg = { id: SettlementId; refusal: Refusal | null; isSpent: boolean };

export type GroupDecision =
  | { next: "send" }
  | { next: "wait" }
  /** These are spent: what became of them decides about the others. */
  | { next: "look_up"; ids: SettlementId[] }
  | { next: "end"; codes: Map<SettlementId, FailureCode> };

/** What is done with the open legs of a group of which nothing has moved. */
export function decideGroup(legs: readonly Leg[], standing: "whole" | "broken"): GroupDecision {
  const spent = legs.filter(({ refusal, isSpent }) => isSpent || refusal?.next === "look_up");
  if (spent.length > 0) return { next: "look_up", ids: spent.map(({ id }) => id) };
  if (standing === "whole" && legs.every(({ refusal }) => refusal === null)) return { next: "send" };
  if (standing === "whole" && legs.some(({ refusal }) => refusal?.next === "wait")) return { next: "wait" };
  const codeOf = ({ refusal }: Leg) => (refusal && "code" in refusal ? refusal.code : "GROUP_FAILED");
  return { next: "end", codes: new Map(legs.map((leg) => [leg.id, codeOf(leg)])) };
}
