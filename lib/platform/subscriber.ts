import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId, SettlementId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import type { Queryable, Tx } from "./db";

/** A fact read from the chain: an authorization was used and its transfer made. */
export type Transfer = AuthorizationKey & {
  to: Address;
  value: Usdc;
  txHash: Hex;
  block: { number: bigint; hash: Hex; time: Date };
};

/** A fact read from the chain: an authorization was spent without any transfer (cancelled by its payer). */
export type Cancellation = AuthorizationKey & { txHash: Hex; block: { number: bigint; hash: Hex; time: Date } };

/** A proof that is being accepted for settlement: what it pays for (`purpose`), which of those (`subject`), and who sells it. */
export type ClaimedProof = AuthorizationKey & {
  settlementId: SettlementId;
  purpose: string;
  subject: string;
  agentId: AgentId | null;
  /** The owner who is paid for what the agent sells, or who pays. */
  ownerId: OwnerId | null;
};

/**
 * What a domain wants to know of the chain. Every method but `knows` runs inside the transaction that records the fact,
 * must be idempotent, and touches only the domain's own tables.
 */
export type Subscriber = {
  /** Which of these authorizations (as `keyOf`) the domain signed itself: only those are read in full. */
  knows: (db: Queryable, network: NetworkName, keys: { from: Address; nonce: Hex }[]) => Promise<string[]>;
  /** A proof is about to be accepted for settlement by us; what this throws refuses it, before anything is sent. */
  claimed: (tx: Tx, proof: ClaimedProof, at: Date) => Promise<void>;
  transferred: (tx: Tx, facts: Transfer[], at: Date) => Promise<void>;
  cancelled: (tx: Tx, facts: Cancellation[], at: Date) => Promise<void>;
  /** Blocks from `firstBlock` on were replaced: whatever they ended is open again. */
  unwound: (tx: Tx, network: NetworkName, firstBlock: bigint, at: Date) => Promise<void>;
};

/** One text for an authorization's identity, to look facts up by. */
export const keyOf = (key: AuthorizationKey): string => `${key.network} ${key.from} ${key.nonce}`;
