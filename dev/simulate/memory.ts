import type { Hex } from "viem";
import type { LocalAccount } from "viem/accounts";
import { z } from "zod";
import type { Address } from "@/lib/core/address";
import type { Authorization } from "@/lib/x402/authorization";
import type { NetworkName } from "@/lib/x402/networks";
import type { Answer } from "../actors/api";
import type { SellerKey } from "./cast";
import { keyName } from "./chain";

/** A response about an authorization; null if the connection broke. */
export type Reply = { at: number; by: "presented" | "looked up"; answer: Answer | null };

/** A facilitator response to a seller; null if the connection broke. */
export type SellerReply = { key: SellerKey; answer: Answer | null };

/** A signed transfer that was shown to someone, with every response about it. */
export type Proof = {
  /** The act that created it. */
  act: string;
  key: string;
  authorization: Authorization;
  signature: Hex;
  account: LocalAccount | null;
  header: string;
  url: string;
  network: NetworkName;
  payTo: string;
  /** The link at which it was presented; null for a UPL or an outside seller. */
  linkId: string | null;
  /** The content that a buyer gets. */
  content: string | null;
  /** The payer has the money, keeps it, and uses this nonce for nothing else. */
  isHonest: boolean;
  /** The chain's head after the service's first response. */
  claimedByBlock?: bigint;
  replies: Reply[];
  /** Responses of /facilitator/settle. */
  settles: SellerReply[];
  /** Responses of /facilitator/verify. `wasPaid`: whether a seller already got the response that the proof is paid. */
  verifies: (SellerReply & { wasPaid: boolean })[];
};

export type Sale = { linkId: string; maxUses: number | null };
export type PayoutMemory = {
  recordId: string | null;
  owner: number;
  legs: { to: string; amount: bigint }[];
  replies: Answer[];
};
export type Move = {
  kind: "deposit" | "withdrawal";
  owner: number;
  reply: Answer | null;
  from: string | null;
  nonce: string | null;
};

/** A mandate that its owner signed with a vault, or tried to. */
export type VaultMemory = {
  mandateId: string;
  owner: number;
  address: Address;
  /** The most that it may pay in this seed, and the most money that it can hold. */
  released: bigint;
  funds: bigint;
  /** In Unix seconds; the vault may start a little earlier. */
  startsAt: number;
  /** Whether its owner ended it, through the service or on the chain. */
  isEnded: boolean;
  /** Its pocket, created after the agent reported a seller that refuses contracts. */
  pocket: Address | null;
  /** Refunds by sellers after its end, to the vault or the pocket. */
  refunds: { from: Address; to: Address }[];
  /** Responses to the owner's signatures. */
  replies: { to: "signature" | "revocation"; answer: Answer | null }[];
};

/** A call of a seller's API that is paid with a proof. */
export type CallMemory = {
  proof: Proof;
  /** Where the buyer presents it. Only one of them can be what it buys. */
  urls: readonly string[];
  replies: { url: string; answer: Answer | null }[];
};

/** A pass for calls of a seller's API. Times are of this process. */
export type PassMemory = {
  proof: Proof;
  linkId: string;
  owner: number;
  paidUrl: string;
  calls: number;
  /** Known once its payment is claimed. */
  token: string | null;
  uses: { path: string; from: number; to: number; answer: Answer | null }[];
  /** `askedAt`: before the approval that may have been accepted. `approvedAt`: after it was; null if it was not, or its response was lost. */
  refunds: { refundId: string; askedAt: number; approvedAt: number | null }[];
};

/** An attempt with an owner's session but without the owner's wallet; null if the connection broke. */
export type Theft = { kind: string; answer: Answer | null };

/** A reservation of a payment. `amount` in atomic units. */
export type CapSpending = { payer: Address; nonce: Hex; payee: Address; amount: string; state: string };

/** A cap that an owner sets; null until it is. `made`: what was reserved when they began to remove it; null until it is removed. */
export type CapMemory = { owner: number; agentId: string | null; cap: bigint | null; made: CapSpending[] | null };

/** Everything that happened in a seed, as its parties know it. */
export type Memory = {
  proofs: Proof[];
  payouts: PayoutMemory[];
  moves: Move[];
  refunds: { refundId: string; owner: number; replies: (Answer | null)[] }[];
  vaults: VaultMemory[];
  calls: CallMemory[];
  passes: PassMemory[];
  caps: CapMemory[];
  thefts: Theft[];
  /** Addresses of thieves. */
  loot: Set<Address>;
  /** Indices of owners who spent the money intended for their vaults. */
  starved: Set<number>;
  /** Authorizations whose transfer was in a replaced block. */
  undone: Set<string>;
  /** Whether servers or database were disturbed. Responses may then be missing or "unavailable". */
  isDisturbed: boolean;
  counts: Map<string, number>;
};

export const newMemory = (): Memory => ({
  proofs: [],
  payouts: [],
  moves: [],
  refunds: [],
  vaults: [],
  calls: [],
  passes: [],
  caps: [],
  thefts: [],
  loot: new Set(),
  starved: new Set(),
  undone: new Set(),
  isDisturbed: false,
  counts: new Map(),
});

export const count = (counts: Map<string, number>, name: string, times = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + times);

export const keyOfProof = ({ from, nonce }: Pick<Authorization, "from" | "nonce">) => keyName(from, nonce);

const said = z.object({
  status: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  settlementId: z.string().optional().catch(undefined),
  settlementStatus: z.enum(["pending", "settled", "failed"]).optional().catch(undefined),
  stillValidUntil: z.string().optional().catch(undefined),
  failureCode: z.string().optional().catch(undefined),
  accepts: z.array(z.unknown()).optional().catch(undefined),
  txHash: z.string().optional().catch(undefined),
  resource: z.unknown().optional(),
});
export type Said = z.output<typeof said>;

/** The fields of a response that concern money. */
export const saidIn = (response: Answer): Said => said.safeParse(response.body).data ?? {};
