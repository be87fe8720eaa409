import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { AgentId, OwnerId, SettlementId } from "@/lib/core/ids";
import { address, hex, moment, uint256, usdc } from "@/lib/platform/columns";
import type { NetworkName } from "@/lib/x402/networks";
import type { SignatureKind } from "@/lib/x402/signature";

/**
 * `declined`: we stopped trying, but anyone can submit the authorization until `validBefore`. `void`: the chain shows that it
 * can never move money.
 */
export type SettlementState = "claimed" | "prepared" | "broadcast" | "settled" | "declined" | "void";

/** Maximum duration of an admission in blocks: a use in an older block never counts as the payment that is claimed afterwards. */
export const ADMISSION_BLOCKS_MAX = 5;

/** States in which we are still submitting the authorization. */
export const OPEN = ["claimed", "prepared", "broadcast"] as const satisfies SettlementState[];
/** States in which the authorization can still move money, so everything scarce that it pays for stays reserved. */
export const UNENDED = [...OPEN, "declined"] as const satisfies SettlementState[];
/** The same for `in`, without parameters. */
export const UNENDED_LIST = sql.raw(`(${UNENDED.map((state) => `'${state}'`).join(", ")})`);

/** Purposes for which an agent is paid. */
export const SALES = ["upl", "link"] as const;

/**
 * What a payment is for. `subject` is the id of an agent for `upl`, a link for `link`, a refund for `refund`, a payout for
 * `payout`, a scan for `firewall`, an API key for `facilitator`, an owner for the others.
 */
export type SettlementPurpose =
  | (typeof SALES)[number]
  | "refund"
  | "payout"
  | "firewall"
  | "facilitator"
  | "deposit"
  | "withdrawal"
  | "credits";

/** Transfers out of a wallet that are not purchases: the service signs them for an owner, not for an agent. */
export const isOwnersOwn = () => sql`purpose in ('refund', 'payout', 'withdrawal', 'credits')`;

/** One presented authorization. */
export const settlements = pgTable(
  "settlements",
  {
    id: text("id").$type<SettlementId>().primaryKey(),
    network: text("network").$type<NetworkName>().notNull(),
    asset: address("asset").notNull(),
    payer: address("payer").notNull(),
    nonce: hex("nonce").notNull(),
    payee: address("payee").notNull(),
    amount: usdc("amount").notNull(),
    validAfter: uint256("valid_after").notNull(),
    validBefore: uint256("valid_before").notNull(),
    /** 65 canonical bytes (ecdsa), or the bytes that the payer's code accepted (erc1271). Never parsed again. */
    signature: hex("signature").notNull(),
    signatureKind: text("signature_kind").$type<SignatureKind>().notNull().default("ecdsa"),
    /** What deploys the payer's account where it has no code yet (ERC-6492); null for a signature without a deployment. */
    factory: address("factory"),
    factoryCalldata: hex("factory_calldata"),
    purpose: text("purpose").$type<SettlementPurpose>().notNull(),
    subject: text("subject").notNull(),
    /** The agent that is paid or that refunds; null when only the service or an owner is a party. */
    agentId: uuid("agent_id").$type<AgentId>(),
    /** The owner who is paid or pays, even after the agent changes owners; null when a stranger pays the service. */
    ownerId: text("owner_id").$type<OwnerId>(),
    /** Id of the first settlement of its group (legs that move in one transaction or not at all); null without a group. */
    groupId: text("group_id").$type<SettlementId>(),
    resource: text("resource").notNull(),
    description: text("description").notNull(),
    state: text("state").$type<SettlementState>().notNull(),
    /** The relayer key that picked it up; from then on only that key's loop changes it. */
    signer: address("signer"),
    relayerNonce: bigint("relayer_nonce", { mode: "number" }),
    /** The observer's cursor at the claim. A use of the authorization in this block or an earlier one is not this payment. */
    claimedAtBlock: bigint("claimed_at_block", { mode: "bigint" }).notNull(),
    /** Number of its own failures: our transactions that did not move it, and errors while preparing one. */
    attempts: integer("attempts").notNull().default(0),
    /** The last of those errors, for operators. */
    lastError: text("last_error"),
    /** Not retried before this time. */
    retryAt: moment("retry_at"),
    /** Why it was declined or is void. Kept when it settles late, so that a reorganisation can restore it. */
    failureCode: text("failure_code"),
    /** When a node last reported the authorization as spent while no node showed the transaction; null once one did. */
    useNotShownAt: moment("use_not_shown_at"),
    /** Moved after it was declined. */
    isLate: boolean("is_late").notNull().default(false),
    txHash: hex("tx_hash"),
    /**
     * The block that shows its transfer or, without a transfer, that its authorization is spent or expired. A reorganisation that
     * replaces this block reverts the outcome.
     */
    blockNumber: bigint("block_number", { mode: "bigint" }),
    createdAt: moment("created_at").notNull(),
    declinedAt: moment("declined_at"),
    endedAt: moment("ended_at"),
  },
  (t) => [
    uniqueIndex("settlements_authorization").on(t.network, t.asset, t.payer, t.nonce),
    index("settlements_open").on(t.network, t.createdAt).where(sql`state in ('claimed', 'prepared', 'broadcast')`),
    index("settlements_relayer").on(t.network, t.signer, t.relayerNonce),
    index("settlements_subject").on(t.subject, t.createdAt),
    index("settlements_agent").on(t.agentId, t.createdAt),
    index("settlements_payee").on(t.payee, t.createdAt, t.id),
    index("settlements_owners_own").on(t.payer, t.createdAt, t.id).where(isOwnersOwn()),
    index("settlements_unended")
      .on(t.network, t.validBefore)
      .where(sql`state in ('claimed', 'prepared', 'broadcast', 'declined')`),
    index("settlements_tx").on(t.txHash),
    index("settlements_group").on(t.groupId).where(sql`group_id is not null`),
    // These columns become calldata: a malformed one would break every batch that includes the row.
    check(
      "settlements_sendable",
      sql`payer ~ '^0x[0-9a-fA-F]{40}$' and payee ~ '^0x[0-9a-fA-F]{40}$' and nonce ~ '^0x[0-9a-fA-F]{64}$'
        and signature_kind in ('ecdsa', 'erc1271')`,
    ),
    // A deployment has a transaction of its own.
    check(
      "settlements_deployment",
      sql`(factory is null) = (factory_calldata is null) and (factory is null or group_id is null)`,
    ),
    check("settlements_ended", sql`(state in ('settled', 'void')) = (ended_at is not null)`),
    check("settlements_unmoved", sql`state not in ('declined', 'void') or failure_code is not null`),
    check("settlements_void", sql`state <> 'void' or block_number is not null`),
    check("settlements_settled", sql`state <> 'settled' or (tx_hash is not null and block_number is not null)`),
    check("settlements_prepared", sql`state not in ('prepared', 'broadcast') or relayer_nonce is not null`),
  ],
);

/** `done`: nothing is left to cancel. `failed`: the token rejects the cancellation. */
export type CancellationState = "waiting" | "sent" | "done" | "failed";

/** A payer's signed cancellation of a declined authorization, which we submit for them. */
export const cancellations = pgTable(
  "cancellations",
  {
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .primaryKey()
      .references(() => settlements.id),
    network: text("network").$type<NetworkName>().notNull(),
    signature: hex("signature").notNull(),
    state: text("state").$type<CancellationState>().notNull(),
    signer: address("signer"),
    relayerNonce: bigint("relayer_nonce", { mode: "number" }),
    /** Number of mined transactions that contained it and cancelled nothing. */
    attempts: integer("attempts").notNull().default(0),
    retryAt: moment("retry_at"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("cancellations_open").on(t.network, t.createdAt).where(sql`state in ('waiting', 'sent')`),
    check("cancellations_sent", sql`state <> 'sent' or (signer is not null and relayer_nonce is not null)`),
  ],
);

/** A relayer key on a network. We count the next nonce ourselves: a node's answer can lag or be wrong. */
export const relayers = pgTable(
  "relayers",
  {
    network: text("network").$type<NetworkName>().notNull(),
    signer: address("signer").notNull(),
    nextNonce: bigint("next_nonce", { mode: "number" }).notNull(),
    /** Why it is paused until an operator intervenes; null when it is not. */
    pausedReason: text("paused_reason"),
  },
  (t) => [primaryKey({ columns: [t.network, t.signer] })],
);

/** One nonce of a relayer key and the call sent with it. */
export const relayerTransactions = pgTable(
  "relayer_transactions",
  {
    network: text("network").$type<NetworkName>().notNull(),
    signer: address("signer").notNull(),
    nonce: bigint("nonce", { mode: "number" }).notNull(),
    to: address("to").notNull(),
    calldata: hex("calldata").notNull(),
    gasLimit: bigint("gas_limit", { mode: "bigint" }).notNull(),
    isOpen: boolean("is_open").notNull().default(true),
    /** Where it was mined; a reorganisation of this block reopens it. */
    minedBlock: bigint("mined_block", { mode: "bigint" }),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.signer, t.nonce] }),
    foreignKey({ columns: [t.network, t.signer], foreignColumns: [relayers.network, relayers.signer] }),
    index("relayer_transactions_open").on(t.network, t.signer).where(sql`is_open`),
  ],
);

/** Every signed version of a nonce; any of them may be mined. */
export const relayerAttempts = pgTable(
  "relayer_attempts",
  {
    hash: hex("hash").primaryKey(),
    network: text("network").$type<NetworkName>().notNull(),
    signer: address("signer").notNull(),
    nonce: bigint("nonce", { mode: "number" }).notNull(),
    raw: hex("raw").notNull(),
    maxFeePerGas: bigint("max_fee_per_gas", { mode: "bigint" }).notNull(),
    maxPriorityFeePerGas: bigint("max_priority_fee_per_gas", { mode: "bigint" }).notNull(),
    /** An empty transaction that only uses up the nonce, because nodes keep refusing the call. */
    isEmpty: boolean("is_empty").notNull().default(false),
    createdAt: moment("created_at").notNull(),
    sentAt: moment("sent_at"),
  },
  (t) => [
    index("relayer_attempts_nonce").on(t.network, t.signer, t.nonce),
    foreignKey({
      columns: [t.network, t.signer, t.nonce],
      foreignColumns: [relayerTransactions.network, relayerTransactions.signer, relayerTransactions.nonce],
    }),
  ],
);

/**
 * Gas spent on a payer's transfers that moved no money, that were unusually heavy or that deployed its account. Deployments are also charged
 * to the factory, as `payer`.
 */
export const payerGas = pgTable(
  "payer_gas",
  {
    network: text("network").$type<NetworkName>().notNull(),
    payer: address("payer").notNull(),
    signer: address("signer").notNull(),
    /** Nonce of our transaction that contained it. */
    relayerNonce: bigint("relayer_nonce", { mode: "number" }).notNull(),
    gas: bigint("gas", { mode: "bigint" }).notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.payer, t.signer, t.relayerNonce] }),
    index("payer_gas_recent").on(t.network, t.payer, t.createdAt),
  ],
);

/** The last block that the observer has read on each network. */
export const chainCursors = pgTable("chain_cursors", {
  network: text("network").$type<NetworkName>().primaryKey(),
  blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
  blockHash: hex("block_hash").notNull(),
  blockTime: moment("block_time").notNull(),
});

/** Hashes of recently read blocks, to find where a reorganisation began. */
export const chainBlocks = pgTable(
  "chain_blocks",
  {
    network: text("network").$type<NetworkName>().notNull(),
    number: bigint("number", { mode: "bigint" }).notNull(),
    hash: hex("hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.network, t.number] })],
);

/** Immutable postings of a double entry: for each (authorization, block, kind) they sum to zero. */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    network: text("network").$type<NetworkName>().notNull(),
    payer: address("payer").notNull(),
    nonce: hex("nonce").notNull(),
    kind: text("kind").$type<"transfer" | "reversal">().notNull(),
    txHash: hex("tx_hash").notNull(),
    blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
    blockHash: hex("block_hash").notNull(),
    account: address("account").notNull(),
    side: text("side").$type<"debit" | "credit">().notNull(),
    /** Number of earlier reversals of this entry in this block: a block can leave the chain and return. */
    turn: integer("turn").notNull(),
    /** Negative: money leaves the account. */
    amount: usdc("amount").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.payer, t.nonce, t.kind, t.blockHash, t.side, t.turn] }),
    index("ledger_entries_account").on(t.account, t.createdAt),
    check("ledger_entries_signs", sql`(side = 'debit') = ((amount < 0) = (kind = 'transfer'))`),
  ],
);
