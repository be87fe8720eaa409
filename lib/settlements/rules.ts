import { encodeFunctionData, type Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import { addSeconds, fromUnixSeconds } from "@/lib/core/time";
import type { Call, Fees } from "@/lib/platform/chain";
import { isVaultCode, rulesInCode } from "@/lib/vaults/terms";
import type { Authorization } from "@/lib/x402/authorization";
import { MULTICALL3, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { type Deployment, type SignatureKind, typedSignature } from "@/lib/x402/signature";
import { submission } from "@/lib/x402/submission";
import { MULTICALL_ABI } from "@/lib/x402/token";
import type { Settlement } from "./store";
import { OPEN, SALES, type SettlementState } from "./tables";

/** Why an authorization was declined or is void. */
export type FailureCode =
  | "EXPIRED"
  | "ALREADY_USED"
  | "CANCELED"
  | "INSUFFICIENT_FUNDS"
  | "INVALID_SIGNATURE"
  | "ACCOUNT_BLOCKED"
  | "TOKEN_PAUSED"
  | "REVERTED"
  /** Another leg of its group was rejected, and a group moves together or not at all. */
  | "GROUP_FAILED"
  /** We repeatedly failed to build a transaction for it. The chain did not reject it. */
  | "UNSENDABLE"
  /** The payer has used up the hourly gas budget per payer. */
  | "GAS_BUDGET_SPENT";

/**
 * What to do after the token rejects an authorization: give up, give up unless it was already used, look up its use on the
 * chain, or wait because the chain's clock is behind ours.
 */
export type TokenRefusal =
  | { next: "fail"; code: FailureCode }
  | { next: "fail_if_unused"; code: FailureCode }
  | { next: "look_up" }
  | { next: "wait" };

/** Revert texts of Circle's FiatToken v2.2. Any other text is REVERTED. */
const REASONS: [RegExp, TokenRefusal][] = [
  [/authorization is expired/i, { next: "fail_if_unused", code: "EXPIRED" }],
  [/not yet valid/i, { next: "wait" }],
  [/used or canceled/i, { next: "look_up" }],
  [/exceeds balance/i, { next: "fail", code: "INSUFFICIENT_FUNDS" }],
  [/blacklisted/i, { next: "fail_if_unused", code: "ACCOUNT_BLOCKED" }],
  [/paused/i, { next: "fail_if_unused", code: "TOKEN_PAUSED" }],
  [/invalid signature|ECRecover/i, { next: "fail", code: "INVALID_SIGNATURE" }],
];

export const meaningOf = (reason: string): TokenRefusal =>
  REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? { next: "fail", code: "REVERTED" };

export type PublicStatus = "pending" | "settled" | "failed";

/** The status shown outside of the service. */
export function publicStatus(state: SettlementState): PublicStatus {
  if (state === "settled") return "settled";
  return state === "void" ? "failed" : "pending";
}

/** The last second of the year 9999: `validBefore` is a uint256 and can exceed what a Date can hold. */
const DATE_MAX_SECONDS = 253_402_300_799n;

/** Until when a declined authorization can still move money; null in every other state. */
export function stillValidUntil({ state, validBefore }: Pick<Settlement, "state" | "validBefore">): Date | null {
  if (state !== "declined") return null;
  return fromUnixSeconds(Number(validBefore < DATE_MAX_SECONDS ? validBefore : DATE_MAX_SECONDS));
}

/** Why the settlement was declined or is void; null in every other state. */
export const failureOf = ({ state, failureCode }: Pick<Settlement, "state" | "failureCode">): string | null =>
  state === "declined" || state === "void" ? failureCode : null;

/**
 * The transaction that carries or made the transfer. Null when declined or void: a hash that moved nothing would look like a
 * receipt.
 */
export const visibleTxHash = ({ state, txHash }: Pick<Settlement, "state" | "txHash">): Hex | null =>
  state === "declined" || state === "void" ? null : txHash;

export const BATCH_MAX = 100;
const BATCH_WORTH_SENDING = 25;
const BATCH_WAIT_SECONDS = 0.2;

/** Whether to send now: immediately when nothing is in flight, otherwise when enough settlements wait or one waits long enough. */
export function isTimeToSend(queue: { waiting: number; oldest: Date | null; inFlight: number }, now: Date): boolean {
  if (queue.waiting === 0 || queue.oldest === null) return false;
  if (queue.inFlight === 0 || queue.waiting >= BATCH_WORTH_SENDING) return true;
  return now >= addSeconds(queue.oldest, BATCH_WAIT_SECONDS);
}

/** Gas limit of one transfer's token call. */
const ACCOUNT_STIPEND = 120_000n;
/** Gas limit of a token call whose signature the payer's code verifies (EIP-1271). */
const CODE_STIPEND = 400_000n;
/** Gas limit of one transaction, below what blocks and nodes allow (EIP-7825: 2^24). */
export const TRANSACTION_GAS_MAX = 15_000_000n;
/** Calldata of one transaction. Nodes refuse transactions of more than 128 KiB. */
export const CALLDATA_BYTES_MAX = 100_000;

/** Gas limit of a vault's token call: about twice the cost of a payment with a long Merkle proof and an agent's signature. */
const VAULT_STIPEND = 200_000n;

/** Gas limit of the deployment of a payer's account. Common smart wallets need about half. */
export const DEPLOYMENT_GAS = 500_000n;

/**
 * Who verifies a payer's signature. `account`: the token alone. `vault`: a vault contract, whose gas use is bounded. `code`: any
 * other code, whose gas use is not. `undeployed`: the same, after its deployment in the transaction of the transfer.
 */
export type PayerKind = "account" | "vault" | "code" | "undeployed";

/** `code`: the code at the payer's address. It can change between two blocks (EIP-7702). */
export function payerKind(
  network: NetworkName,
  code: Hex,
  payee: Address,
  deployment: Deployment | null = null,
): PayerKind {
  if (code === "0x") return deployment ? "undeployed" : "account";
  // For a payment to the owner, the vault also calls the owner's contract if our signature is wrong.
  return isVaultCode(code, NETWORKS[network].usdc) && payee !== rulesInCode(code).owner ? "vault" : "code";
}

/** Whether the payer's code is unknown. Its transfer then has a transaction of its own, so that the receipt shows its gas. */
export const isForeignCode = (kind: PayerKind): boolean => kind === "code" || kind === "undeployed";

const STIPENDS: Record<PayerKind, bigint> = {
  account: ACCOUNT_STIPEND,
  vault: VAULT_STIPEND,
  code: CODE_STIPEND,
  undeployed: DEPLOYMENT_GAS + CODE_STIPEND,
};

export const stipendOf = (kind: PayerKind): bigint => STIPENDS[kind];

/** A transfer that uses at least this much gas counts as heavy. Common smart wallets need about half. */
const HEAVY_GAS = 250_000n;

/**
 * Gas charged to a payer's hourly budget for one transfer of a transaction that contained `carried` transfers and used
 * `gasUsed`. A transfer that moved money at an ordinary cost is free; one that did not is charged all it can have used.
 */
export function gasCharged({ hasMoved, gasUsed, carried, signatureKind = "ecdsa" }: Transferred) {
  // In a shared transaction, only a vault has a signature that is not ecdsa.
  if (carried > 1) return hasMoved ? 0n : stipendOf(signatureKind === "ecdsa" ? "account" : "vault");
  return hasMoved && gasUsed < HEAVY_GAS ? 0n : gasUsed;
}

type Transferred = { hasMoved: boolean; gasUsed: bigint; carried: number; signatureKind?: SignatureKind };

/** `to`: the contract that was called. */
type Mined = { to: Address; gasUsed: bigint; isShown: (row: Settlement) => boolean; isEmpty: boolean };

/**
 * Gas charged to each payer of a mined transaction, and to the factory of one that deployed a payer: all of it, also if the transfer worked,
 * because anyone can name a new payer. A transfer that a third party submitted counts as moved. An empty transaction
 * that replaced several transfers charges nobody: which of them nodes refused is unknown. Groups are free: the service signs
 * them, and other limits bind their owners.
 */
export function gasCharges(
  carried: readonly Settlement[],
  { to, gasUsed, isShown, isEmpty }: Mined,
): Map<Address, bigint> {
  const charges = new Map<Address, bigint>();
  for (const row of carried) {
    const { signatureKind, payer, groupId, factory } = row;
    if (to === MULTICALL3 && factory !== null) {
      for (const charged of [payer, factory]) charges.set(charged, gasUsed);
      continue;
    }
    const hasMoved = isShown(row) || row.state === "settled";
    const isUnknown = isEmpty && carried.length > 1;
    if (isUnknown || groupId !== null) continue;
    const gas = gasCharged({ hasMoved, gasUsed, carried: carried.length, signatureKind });
    if (gas > 0n) charges.set(payer, (charges.get(payer) ?? 0n) + gas);
  }
  return charges;
}

/**
 * Whether a payer's hourly gas budget allows one more transfer. For a payer with unknown code, all `underway` transfers count, since
 * they may all fail; for other kinds only once one has failed (`spent` is not 0). The first deployment always fits.
 */
export const fitsGasBudget = (
  budget: bigint,
  { spent, underway }: { spent: bigint; underway: number },
  kind: PayerKind,
): boolean => {
  const isFree = kind === "undeployed" ? underway === 0 : kind !== "code";
  return (spent === 0n && isFree) || spent + BigInt(underway + 1) * stipendOf(kind) <= budget;
};

/** The token call that executes one authorization. The token accepts ECDSA and EIP-1271 signatures in the same argument. */
export function transferCall(s: Pick<Settlement, "network" | "signature" | AuthorizationColumn>): Call {
  return submission(s.network, authorizationOf(s), s.signature);
}

/** An authorization as its payer signed it. */
export type SignedAuthorization = { network: NetworkName; authorization: Authorization; signature: Hex };

/** Whether the settlement has exactly this authorization and signature. A nonce is not enough: its payer can sign many with it. */
export function isSameProof(
  s: Pick<Settlement, ProofColumn>,
  { network, authorization: a, signature }: SignedAuthorization,
): boolean {
  return (
    s.network === network &&
    s.asset === NETWORKS[network].usdc &&
    s.payer === a.from &&
    s.nonce === a.nonce &&
    s.payee === a.to &&
    s.amount === a.value &&
    s.validAfter === a.validAfter &&
    s.validBefore === a.validBefore &&
    s.signature.toLowerCase() === typedSignature(network, a, signature).signature.toLowerCase()
  );
}

type ProofColumn = AuthorizationColumn | "network" | "asset" | "signature";
type AuthorizationColumn = "payer" | "payee" | "amount" | "validAfter" | "validBefore" | "nonce";

/** One call that executes all of `transfers` or none, for a network without the settler; or each that works, with `allowFailure`. */
export function multicall(transfers: readonly { call: Call }[], { allowFailure = false } = {}): Call {
  const data = encodeFunctionData({
    abi: MULTICALL_ABI,
    functionName: "aggregate3",
    args: [transfers.map(({ call }) => ({ target: call.to, allowFailure, callData: call.data }))],
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

/** Maximum fee of a replacement, as a multiple of the current fee. */
const RAISE_MAX = 10n;

/** The current fees, or the operator's cap: a node that lies about the base fee must not set what we pay. */
export const cappedFees = (today: Fees, cap: Fees): Fees => ({
  maxFeePerGas: least(today.maxFeePerGas, cap.maxFeePerGas),
  maxPriorityFeePerGas: least(today.maxPriorityFeePerGas, cap.maxPriorityFeePerGas),
});

/**
 * Fees of a replacement transaction: 25 % more than before (mempools require 10 %), or the current fees if higher. Null when that
 * exceeds RAISE_MAX times the current fee, because the price is then not what delays it, or when `cap` leaves too little room.
 */
export function raisedFees(previousFees: Fees, today: Fees, cap: Fees): Fees | null {
  const raise = (fee: keyof Fees) => least(greatest((previousFees[fee] * 5n) / 4n + 1n, today[fee]), cap[fee]);
  const fees = { maxFeePerGas: raise("maxFeePerGas"), maxPriorityFeePerGas: raise("maxPriorityFeePerGas") };
  const isEnough = (fee: keyof Fees) => fees[fee] > previousFees[fee] && fees[fee] * 10n >= previousFees[fee] * 11n;
  if (!isEnough("maxFeePerGas") || !isEnough("maxPriorityFeePerGas")) return null;
  return fees.maxFeePerGas > today.maxFeePerGas * RAISE_MAX ? null : fees;
}

export const highestFees = (versions: readonly [Fees, ...Fees[]]): Fees => ({
  maxFeePerGas: versions.map((fees) => fees.maxFeePerGas).reduce(greatest),
  maxPriorityFeePerGas: versions.map((fees) => fees.maxPriorityFeePerGas).reduce(greatest),
});

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const greatest = (a: bigint, b: bigint) => (a > b ? a : b);

/** The state of a group, from all of its legs. It decides what happens to the open ones. */
export type GroupState =
  /** No leg has moved and all still can: they move together. */
  | "intact"
  /** A foreign transaction moved a leg, so "not at all" is no longer possible: the others follow individually. */
  | "partial"
  /** A leg was declined or is void and none has moved: the others are declined too. */
  | "failed";

export function groupStateOf(legs: readonly Pick<Settlement, "state">[]): GroupState {
  if (legs.some(({ state }) => state === "settled")) return "partial";
  return legs.some(({ state }) => state === "declined" || state === "void") ? "failed" : "intact";
}

/** Whether the payment is a sale by an agent, which can be refunded. */
export const isSale = (purpose: Settlement["purpose"]): boolean => SALES.some((sale) => sale === purpose);

/** Whether the relayer is still submitting the settlement. */
export const isOpen = ({ state }: Pick<Settlement, "state">): boolean => OPEN.some((open) => open === state);

/** One leg of a group in which none has moved. `refusal`: the simulated rejection. `isSpent`: the token's authorizationState. */
export type GroupLeg = { id: SettlementId; refusal: TokenRefusal | null; isSpent: boolean };

export type GroupDecision =
  | { next: "send" }
  | { next: "wait" }
  /** These legs are spent. How they were used decides the others. */
  | { next: "look_up"; ids: SettlementId[] }
  | { next: "end"; codes: Map<SettlementId, FailureCode> };

/** Decides the open legs of a group in which none has moved. */
export function decideGroup(legs: readonly GroupLeg[], state: "intact" | "failed"): GroupDecision {
  const spent = legs.filter(({ refusal, isSpent }) => isSpent || refusal?.next === "look_up");
  if (spent.length > 0) return { next: "look_up", ids: spent.map(({ id }) => id) };
  if (state === "intact" && legs.every(({ refusal }) => refusal === null)) return { next: "send" };
  if (state === "intact" && legs.some(({ refusal }) => refusal?.next === "wait")) return { next: "wait" };
  const codes = new Map<SettlementId, FailureCode>();
  for (const { id, refusal } of legs) {
    codes.set(id, refusal?.next === "fail" || refusal?.next === "fail_if_unused" ? refusal.code : "GROUP_FAILED");
  }
  return { next: "end", codes };
}

/** The observer's cursor at the last check, and since when it has not moved although there were blocks to read. */
export type ObserverProgress = { readUpToBlock: bigint | null; behindSinceMs: number | null };

const STALLED_MS = 60_000;

/**
 * Whether the observer's cursor has not moved for a minute although the chain has more blocks. `nowMs`: this process's
 * monotonic milliseconds. False on the first call.
 */
export function isStalled(
  previousObserverProgress: ObserverProgress | undefined,
  { head, readUpToBlock }: { head: bigint | null; readUpToBlock: bigint | null },
  nowMs: number,
): { progress: ObserverProgress; isStalled: boolean } {
  const isBehind = head !== null && head > (readUpToBlock ?? -1n);
  const isSame = previousObserverProgress?.readUpToBlock === readUpToBlock;
  const behindSinceMs = isBehind ? ((isSame ? previousObserverProgress?.behindSinceMs : null) ?? nowMs) : null;
  const progress = { readUpToBlock, behindSinceMs };
  return { progress, isStalled: behindSinceMs !== null && nowMs - behindSinceMs >= STALLED_MS };
}
