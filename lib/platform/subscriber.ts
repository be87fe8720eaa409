import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { AgentId, OwnerId, SettlementId, WalletId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { AuthorizationKey } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import type { Queryable, Tx } from "./db";
import type { AskedPayee, PayeeFacts } from "./summary";

/** A fact from the chain: an authorization was used and its transfer made. */
export type Transfer = AuthorizationKey & {
  to: Address;
  value: Usdc;
  txHash: Hex;
  block: { number: bigint; hash: Hex; time: Date };
};

/** A fact from the chain: an authorization was used up without a transfer (cancelled by its payer). */
export type Cancellation = AuthorizationKey & { txHash: Hex; block: { number: bigint; hash: Hex; time: Date } };

/** A proof that is being accepted for settlement: the kind of thing it pays for (`purpose`), the id of that thing (`subject`), and the seller. */
export type ClaimedProof = AuthorizationKey & {
  settlementId: SettlementId;
  purpose: string;
  subject: string;
  agentId: AgentId | null;
  /** The owner who receives the money for the agent's sale, or the owner who pays. */
  ownerId: OwnerId | null;
};

/** A settlement that has ended: the money was moved, or never can be. */
export type EndedSettlement = ClaimedProof & {
  end: "settled" | "failed";
  amount: Usdc;
  payee: Address;
};

/** `ownerId`: the wallet's owner. */
export type ApprovedBy = { ownerId: OwnerId; walletId: WalletId };

/**
 * A domain's handlers for facts from the chain. Every method except `knows` and those that say that they are none runs inside the transaction
 * that records the fact, must be idempotent, and touches only the domain's own tables.
 */
export type Subscriber = Partial<{
  /** Which of these authorizations (as `keyOf`) the domain signed itself. Only those are read in full. */
  knows: (db: Queryable, network: NetworkName, keys: { from: Address; nonce: Hex }[]) => Promise<string[]>;
  /**
   * Runs before the service accepts proofs for settlement. Throwing refuses them before anything is sent; those that share a transaction
   * by chance are then accepted or refused in halves.
   */
  claimed: (tx: Tx, proofs: readonly ClaimedProof[], time: Date) => Promise<void>;
  /** Runs when a settlement has ended. A reorganisation can open a settled one again, so it may run more than once. */
  ended: (tx: Tx, settlement: EndedSettlement, time: Date) => Promise<void>;
  transferred: (tx: Tx, facts: Transfer[], time: Date) => Promise<void>;
  cancelled: (tx: Tx, facts: Cancellation[], time: Date) => Promise<void>;
  /** Blocks from `firstBlock` on were replaced: everything that ended in them is open again. */
  unwound: (tx: Tx, network: NetworkName, firstBlock: bigint, time: Date) => Promise<void>;
  /** Not a fact from the chain: the sum that the domain let a wallet pay without its owner's signature after `since`. */
  paidUnsigned: (db: Queryable, walletId: WalletId, since: Date, time: Date) => Promise<Usdc>;
  /** Not a fact from the chain: what a person has approved and no signature has taken yet, for each agent. */
  approved: (db: Queryable, payer: ApprovedBy, time: Date) => Promise<readonly { agentId: AgentId; amount: Usdc }[]>;
  /** Not a fact from the chain: what the domain knows of an address that an owner is asked to pay. */
  knownPayee: (db: Queryable, payee: AskedPayee) => Promise<Partial<PayeeFacts>>;
}>;

/** The identity of an authorization as one string, for lookups. */
export const keyOf = (key: AuthorizationKey): string => `${key.network} ${key.from} ${key.nonce}`;
