import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId } from "@/lib/core/ids";
import { mandates } from "@/lib/mandates/tables";
import { owners } from "@/lib/owners/tables";
import { address, hex, moment, uint256, usdc } from "@/lib/platform/columns";
import type { NetworkName } from "@/lib/x402/networks";
import type { VaultVersion } from "./contracts";

/**
 * `proposed`: not signed. `opening`: signed, and not on the chain yet. `closing`: makes no more payments, and its balance returns
 * to the owner. `failed`: can never be opened.
 */
export type VaultState = "proposed" | "opening" | "open" | "closing" | "closed" | "failed";
/** `now`: the owner's signature moves the money in. `permit`: the owner keeps it, and the vault draws what it needs. */
export type VaultFunding = "now" | "permit";

/** The vault of a mandate: the key that we sign with, the terms that its owner signed, and what the chain showed. */
export const vaults = pgTable(
  "vaults",
  {
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .primaryKey()
      .references(() => mandates.id),
    network: text("network").$type<NetworkName>().notNull(),
    signer: address("signer").notNull().unique("vaults_signer"),
    sealedKey: text("sealed_key").notNull(),
    state: text("state").$type<VaultState>().notNull(),
    /** Why the vault can never be opened, as text for its owner. */
    failure: text("failure"),
    funding: text("funding").$type<VaultFunding>(),
    // The terms, from the owner's signature on. The token is the network's USDC.
    contractVersion: integer("contract_version").$type<VaultVersion>(),
    address: address("address").unique("vaults_address"),
    owner: address("owner"),
    agentKey: address("agent_key"),
    /** Unix seconds. */
    startsAt: bigint("starts_at", { mode: "number" }),
    endsAt: bigint("ends_at", { mode: "number" }),
    limitAmount: usdc("limit_amount"),
    perPayment: usdc("per_payment"),
    releaseAmount: usdc("release_amount"),
    releaseSeconds: bigint("release_seconds", { mode: "number" }),
    payeesRoot: hex("payees_root"),
    payees: text("payees").array().$type<Address[]>(),
    mandateHash: hex("mandate_hash"),
    // What the chain showed at `readBlock`, a block that the observer had read.
    isDeployed: boolean("is_deployed").notNull().default(false),
    isRevoked: boolean("is_revoked").notNull().default(false),
    funded: usdc("funded").notNull().default(sql`0`),
    balance: usdc("balance").notNull().default(sql`0`),
    spent: usdc("spent").notNull().default(sql`0`),
    /** USDC that the vault may still draw from the owner. */
    allowance: usdc("allowance").notNull().default(sql`0`),
    /** The account through which the vault pays sellers that refuse contracts; null until one did. Holds the amount of one payment. */
    pocket: address("pocket").unique("vaults_pocket"),
    sealedPocketKey: text("sealed_pocket_key"),
    pocketBalance: usdc("pocket_balance").notNull().default(sql`0`),
    /** The sum of its `vaultReturns`. */
    returned: usdc("returned").notNull().default(sql`0`),
    /** The sum of the mandate's payments in blocks up to `readBlock`. */
    committed: usdc("committed").notNull().default(sql`0`),
    /** Null before the first read, and after a reorganisation of that block. */
    readBlock: bigint("read_block", { mode: "bigint" }),
    readAt: moment("read_at"),
    /** The owner was notified of a low balance, and it has stayed low since. */
    isLow: boolean("is_low").notNull().default(false),
    /** Something happened to the vault since the last read. */
    isStale: boolean("is_stale").notNull().default(true),
    /** When the vault first closed or failed. For some months from then, incoming transfers are searched for. */
    closedAt: moment("closed_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("vaults_watched").on(t.network, t.closedAt).where(sql`state <> 'proposed'`),
    index("vaults_left")
      .on(t.network, t.readAt)
      .where(sql`state in ('closed', 'failed') and (balance > 0 or pocket_balance > 0)`),
    index("vaults_live").on(t.network, t.readAt).where(sql`state in ('opening', 'open', 'closing')`),
    index("vaults_ending").on(t.network, t.endsAt).where(sql`state in ('opening', 'open')`),
    index("vaults_stale").on(t.network).where(sql`is_stale and state <> 'proposed'`),
    index("vaults_read").on(t.network, t.readBlock).where(sql`read_block is not null`),
    check(
      "vaults_terms",
      sql`state = 'proposed' or (contract_version is not null and address is not null and owner is not null and starts_at is not null and ends_at is not null
        and limit_amount is not null and mandate_hash is not null and funding is not null
        and (release_amount is null) = (release_seconds is null) and (payees_root is null) = (payees is null))`,
    ),
    check("vaults_pocket_key", sql`(pocket is null) = (sealed_pocket_key is null)`),
    check("vaults_failed", sql`(state = 'failed') = (failure is not null)`),
  ],
);

export type VaultOperationKind =
  | "open_and_fund"
  | "open_and_pull"
  | "pull"
  | "count"
  | "revoke_signed"
  | "withdraw"
  | "return"
  | "fill_pocket"
  | "empty_pocket";
/** `done`: the chain shows its effect. `failed`: it can no longer have one, or the attempts are used up. */
export type VaultOperationState = "waiting" | "sent" | "done" | "failed";

/** A call of a vault or its factory that we send. Anybody else could send it too: only its effect counts. */
export const vaultOperations = pgTable(
  "vault_operations",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .notNull()
      .references(() => vaults.mandateId),
    network: text("network").$type<NetworkName>().notNull(),
    kind: text("kind").$type<VaultOperationKind>().notNull(),
    /**
     * By kind: the funding, the permit's allowance, the total received after a pull, or the pocket's target balance. For a return
     * to the owner: the balance when it was decided.
     */
    amount: usdc("amount"),
    /** Unix seconds: until when the owner's signature is valid, or our signature that fills the pocket. */
    validBefore: uint256("valid_before"),
    /** The owner's signature. */
    signature: hex("signature"),
    state: text("state").$type<VaultOperationState>().notNull().default("waiting"),
    /** Number of transactions mined without effect and of refused simulations. */
    attempts: integer("attempts").notNull().default(0),
    failure: text("failure"),
    retryAt: moment("retry_at"),
    signer: address("signer"),
    relayerNonce: bigint("relayer_nonce", { mode: "number" }),
    /** The block at which its effect was seen; a reorganisation from this block on opens it again. */
    doneBlock: bigint("done_block", { mode: "bigint" }),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("vault_operations_live").on(t.mandateId, t.kind).where(sql`state in ('waiting', 'sent')`),
    index("vault_operations_mandate").on(t.mandateId, t.kind, t.createdAt),
    index("vault_operations_open").on(t.network, t.createdAt).where(sql`state in ('waiting', 'sent')`),
    index("vault_operations_done").on(t.network, t.doneBlock).where(sql`done_block is not null`),
    check("vault_operations_sent", sql`state <> 'sent' or (signer is not null and relayer_nonce is not null)`),
    check("vault_operations_ended", sql`(state = 'done') = (done_block is not null)`),
  ],
);

/** Transfers from a vault or its pocket to its owner, in blocks up to that of `vaultSearches`. */
export const vaultReturns = pgTable(
  "vault_returns",
  {
    network: text("network").$type<NetworkName>().notNull(),
    txHash: hex("tx_hash").notNull(),
    logIndex: integer("log_index").notNull(),
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .notNull()
      .references(() => vaults.mandateId),
    amount: usdc("amount").notNull(),
    blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.txHash, t.logIndex] }),
    index("vault_returns_mandate").on(t.mandateId),
    index("vault_returns_block").on(t.network, t.blockNumber),
  ],
);

/** The block up to which a network was searched for transfers of vaults and pockets. */
export const vaultSearches = pgTable("vault_searches", {
  network: text("network").$type<NetworkName>().primaryKey(),
  blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
});

/**
 * Sellers that refused a payment because a contract made it, as an agent reported or we saw. An agent's report counts only for
 * that agent.
 */
export const contractRefusals = pgTable(
  "contract_refusals",
  {
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    network: text("network").$type<NetworkName>().notNull(),
    host: text("host").notNull(),
    /** The agent whose payment was refused. */
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** In the seller's words. */
    reason: text("reason").notNull(),
    seenAt: moment("seen_at").notNull(),
    /** Whether we presented the payment to the seller ourselves. The refusal then counts for all agents of the owner. */
    isWitnessed: boolean("is_witnessed").notNull(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.network, t.host, t.agentId] })],
);
