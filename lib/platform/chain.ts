import type { AbiEvent, Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { Usdc } from "@/lib/core/money";
import type { Network } from "@/lib/x402/networks";

/** No node responded. With `isOfCall`, a node did, but its response does not show the result of the call. */
export class ChainUnavailable extends Error {
  override readonly name = "ChainUnavailable";
  readonly isOfCall: boolean;

  constructor(message: string, { isOfCall = false, ...options }: ErrorOptions & { isOfCall?: boolean } = {}) {
    super(message, options);
    this.isOfCall = isOfCall;
  }
}

export type Block = { number: bigint; hash: Hex; time: Date };
export type Call = { to: Address; data: Hex };
export type CallResult = { ok: true; data: Hex } | { ok: false; reason: string };

/** A used EIP-3009 authorization in a transaction's logs, with its transfer (null when there was none). */
export type AuthorizationUse = { payer: Address; nonce: Hex; transfer: { to: Address; value: Usdc } | null };
export type Receipt = {
  hash: Hex;
  isSuccess: boolean;
  gasUsed: bigint;
  /** The sender's cost, including the fee for publishing it on Ethereum. */
  feeWei: bigint;
  block: { number: bigint; hash: Hex };
  uses: AuthorizationUse[];
};
export type AuthorizationLog = {
  kind: "used" | "canceled";
  payer: Address;
  nonce: Hex;
  txHash: Hex;
  block: { number: bigint; hash: Hex };
};

export type TransferLog = {
  from: Address;
  to: Address;
  value: Usdc;
  txHash: Hex;
  logIndex: number;
  block: { number: bigint; hash: Hex };
};

/** The logs of the first blocks of a range, and the last block covered: null when the node does not have it. */
export type LogPage<L = AuthorizationLog> = { logs: L[]; last: Block | null };

/**
 * A node's response to a transaction. `unfunded`: the sender cannot pay the gas. `impossible`: by the node's message, no fee would
 * help. `rejected`: any other refusal; the transaction is not in the pool.
 */
export type SendResult =
  | "accepted"
  | "known"
  | "nonce_too_low"
  | "underpriced"
  | "unfunded"
  | "impossible"
  | "rejected";
/** The priority fee before any raise, in wei per unit of gas. */
export const TIP = 1_000_000n;
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
/** `value`: the ETH that is sent, in wei; default none. */
export type UnsignedTransaction = Fees & Call & { nonce: number; gas: bigint; value?: bigint };

/** One network, through whichever of its nodes responds. Every method throws ChainUnavailable when no node responded. */
export interface Chain {
  readonly network: Network;
  head(): Promise<Block>;
  /** A node's newest block number, by the cheapest call. Unverified: use it only to decide when to read. */
  headNumber(): Promise<bigint>;
  block(number: bigint): Promise<Block | null>;
  /**
   * Reads from `from` on, as far as a node returns in one response: providers limit blocks or logs per request, with
   * different errors. Logs and last block come from one node in one batch, so a node that lacks the block cannot return an
   * incomplete list. `allLogs` reads a whole range.
   */
  authorizationLogs(range: { from: bigint; to: bigint }, key?: { payer: Address; nonce: Hex }): Promise<LogPage>;
  /** `authorizationLogs` for all transfers of the token from or to `accounts`. `allTransfers` reads a whole range. */
  transferLogs(range: { from: bigint; to: bigint }, accounts: readonly Address[]): Promise<LogPage<TransferLog>>;
  /** The contracts that logged one of `events`, once per log, paged like `authorizationLogs`. Any contract can log any event. */
  emitters(range: { from: bigint; to: bigint }, events: readonly AbiEvent[]): Promise<LogPage<Address>>;
  receipt(hash: Hex): Promise<Receipt | null>;
  /** Runs calls in order on one state. Each call may fail. */
  simulate(from: Address, calls: Call[], gas: bigint): Promise<CallResult[]>;
  /** Runs one call as its own transaction, with at most `gas`. */
  simulateAlone(from: Address, call: Call & { value?: bigint }, gas: bigint): Promise<CallResult>;
  balances(accounts: Address[]): Promise<Usdc[]>;
  nativeBalance(account: Address): Promise<bigint>;
  /** Which authorizations are used as of the newest block. A used one stays used, and nodes discard old states. */
  authorizationStates(keys: { payer: Address; nonce: Hex }[]): Promise<boolean[]>;
  /**
   * Whether a second lookup also shows each authorization as unused: at another node that has `block`, or, if only one is configured,
   * at the same node as of that block. Null while no other node responds.
   */
  confirmUnused(
    keys: { payer: Address; nonce: Hex }[],
    block: Pick<Block, "number" | "hash">,
  ): Promise<boolean[] | null>;
  /** Whether an authorization was used as of a block. Null if no node that responded has the state of that block. */
  wasUsed(key: { payer: Address; nonce: Hex }, block: bigint): Promise<boolean | null>;
  /** Runs read-only calls on the state of a block. Null if no node that responded has that state. */
  readAt(calls: Call[], block: bigint): Promise<CallResult[] | null>;
  /** The code at each address; `0x` where there is none. */
  codes(accounts: Address[]): Promise<Hex[]>;
  /**
   * Whether the code at `account` accepts `signature` (EIP-1271), with a limit on its gas. Always false for an account
   * without code and for a precompile.
   */
  acceptsSignature(account: Address, digest: Hex, signature: Hex): Promise<boolean>;
  transactionCount(account: Address): Promise<number>;
  fees(): Promise<Fees>;
  signTransaction(privateKey: Hex, transaction: UnsignedTransaction): Promise<{ raw: Hex; hash: Hex }>;
  send(raw: Hex): Promise<SendResult>;
}
