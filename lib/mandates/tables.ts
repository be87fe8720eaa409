import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { Address } from "@/lib/core/address";
import type { AgentId, MandateId, OwnerId, WalletId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { address, hex, moment, sums, uint256, usdc } from "@/lib/platform/columns";
import { wallets } from "@/lib/wallets/tables";
import type { NetworkName } from "@/lib/x402/networks";

export type MandateParty = "agent" | "owner";
/** Where the money of a mandate's payments is: in the owner's spending wallet, or in the mandate's own vault on the chain. */
export type MandateMode = "wallet" | "vault";
export type MandateState = "draft" | "pending_signature" | "signed" | "rejected" | "revoked";

/** The requested limits in JSON. A null cap means no cap, a null list any host. */
export type AskedTerms = {
  limitAmount: string;
  maxAmountPerPayment: string | null;
  maxAmountPerDay: string | null;
  maxAmountPerMonth: string | null;
  validUntil: string;
  hostAllowlist: string[] | null;
};

/** A budget that its owner signs once (EIP-712). Expiry and exhaustion are computed from the columns and the clock. */
export const mandates = pgTable(
  "mandates",
  {
    id: text("id").$type<MandateId>().primaryKey(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** Null for a draft: the agent has no owner yet. */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .references(() => owners.id),
    walletId: text("wallet_id")
      .$type<WalletId>()
      .references(() => wallets.id),
    network: text("network").$type<NetworkName>().notNull(),
    state: text("state").$type<MandateState>().notNull(),
    mode: text("mode").$type<MandateMode>().notNull().default("wallet"),
    isEnabled: boolean("is_enabled").notNull().default(false),
    /** Who requested the mandate and wrote its purpose: an agent, or the owner who prepared it. */
    requestedBy: text("requested_by").$type<MandateParty>().notNull().default("agent"),
    naturalLanguage: text("natural_language").notNull(),
    category: text("category"),
    limitAmount: usdc("limit_amount").notNull(),
    maxAmountPerPayment: usdc("max_amount_per_payment"),
    spentAmount: usdc("spent_amount").notNull().default(sql`0`),
    pendingAmount: usdc("pending_amount").notNull().default(sql`0`),
    /** Caps of a calendar day and month in UTC. Null: no such cap. */
    maxAmountPerDay: usdc("max_amount_per_day"),
    maxAmountPerMonth: usdc("max_amount_per_month"),
    /** The newest day on which a mandate with such a cap was charged, and the sums reserved or paid on that day and in its month. */
    chargedOn: date("charged_on", { mode: "string" }),
    dayAmount: usdc("day_amount").notNull().default(sql`0`),
    monthAmount: usdc("month_amount").notNull().default(sql`0`),
    validFrom: moment("valid_from").notNull(),
    validUntil: moment("valid_until").notNull(),
    /** Null means any host. */
    hostAllowlist: text("host_allowlist").array(),
    /** The requested limits, once the owner has changed them; null again when the mandate is signed. */
    asked: jsonb("asked").$type<AskedTerms>(),
    /** Whether each new payee is confirmed before it is paid. Null: the owner has not chosen, and it is not. */
    confirmPayees: boolean("confirm_payees"),
    /** Vault terms besides the limits above, if the owner signs with a vault. Null: no agent key, any payee, all released at once. */
    vaultAgentKey: address("vault_agent_key"),
    vaultPayees: text("vault_payees").array().$type<Address[]>(),
    vaultReleaseAmount: usdc("vault_release_amount"),
    vaultReleaseSeconds: bigint("vault_release_seconds", { mode: "number" }),
    /** The signed mandate whose remaining budget this one takes over when its owner signs it. */
    replaces: text("replaces")
      .$type<MandateId>()
      .references((): AnyPgColumn => mandates.id),
    /** The mandate that has taken over the remaining budget of this one, which is revoked. */
    replacedBy: text("replaced_by")
      .$type<MandateId>()
      .references((): AnyPgColumn => mandates.id),
    /** SHA-256 of the token in the authorizationUrl. */
    tokenHash: text("token_hash").notNull(),
    mandateHash: hex("mandate_hash"),
    signature: hex("signature"),
    signedAt: moment("signed_at"),
    /** Incremented by each change that a person makes; a payment based on an older revision is refused. */
    revision: integer("revision").notNull().default(1),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (t) => [
    // In the order of lists. Signed mandates have separate indexes, because an agent can request any number of mandates.
    index("mandates_agent").on(t.agentId, t.createdAt, t.id),
    index("mandates_owner").on(t.ownerId, t.createdAt, t.id),
    index("mandates_agent_signed").on(t.agentId, t.createdAt, t.id).where(sql`state = 'signed'`),
    index("mandates_owner_signed").on(t.ownerId, t.createdAt, t.id).where(sql`state = 'signed'`),
    index("mandates_owner_waiting")
      .on(t.ownerId, t.createdAt, t.id)
      .where(sql`state in ('draft', 'pending_signature')`),
    index("mandates_replaces").on(t.replaces).where(sql`replaces is not null`),
    index("mandates_agent_draft").on(t.agentId, t.createdAt, t.id).where(sql`owner_id is null`),
    check(
      "mandates_within_limit",
      sql`spent_amount >= 0 and pending_amount >= 0 and spent_amount + pending_amount <= limit_amount`,
    ),
    check(
      "mandates_signed",
      sql`state <> 'signed' or (signature is not null and wallet_id is not null and owner_id is not null)`,
    ),
    check("mandates_replaced", sql`replaced_by is null or state = 'revoked'`),
    check("mandates_periods", sql`day_amount >= 0 and month_amount >= day_amount`),
    check("mandates_release", sql`(vault_release_amount is null) = (vault_release_seconds is null)`),
  ],
);

/** Open: the authorization can still move its amount. Committed: it has moved it. Released: it never can. */
export type ReservationState = "open" | "committed" | "released";

/**
 * The ledger of the budget that signed authorizations of spending wallets take. A mandate's spent amount is the sum of its
 * committed reservations, its pending amount the sum of its open ones. Each payment has one; each leg of an agent's payout and each
 * purchase of credits has the one of its settlement's authorization.
 */
export const reservations = pgTable(
  "reservations",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null for what a person approved individually (a payment, an agent's payout, credits): no mandate is charged. */
    mandateId: text("mandate_id")
      .$type<MandateId>()
      .references(() => mandates.id),
    network: text("network").$type<NetworkName>().notNull(),
    payer: address("payer").notNull(),
    nonce: hex("nonce").notNull(),
    payee: address("payee").notNull(),
    amount: usdc("amount").notNull(),
    validBefore: uint256("valid_before").notNull(),
    /** The UTC day that the reservation is charged to, if its mandate has a budget for a day or month. */
    chargedOn: date("charged_on", { mode: "string" }),
    /**
     * The hour, since 1970, in which the owner's caps count it; null for service credits, whose purchase was counted. The spending
     * wallet names the owner. No foreign keys: each signature would pay for checking what its payment checks anyway.
     */
    chargedHour: integer("charged_hour"),
    walletId: text("wallet_id").$type<WalletId>().notNull(),
    /** Null for what the owner buys. */
    agentId: uuid("agent_id").$type<AgentId>(),
    state: text("state").$type<ReservationState>().notNull().default("open"),
    /** Whether its proof was presented to the service or used on the chain. */
    isSubmitted: boolean("is_submitted").notNull().default(false),
    /** The transaction that used or cancelled the authorization. */
    txHash: hex("tx_hash"),
    /** The block that ended it; a reorganisation from this block on opens it again. */
    blockNumber: bigint("block_number", { mode: "bigint" }),
    endedAt: moment("ended_at"),
  },
  (t) => [
    uniqueIndex("reservations_authorization").on(t.network, t.payer, t.nonce),
    index("reservations_open").on(t.network, t.validBefore, t.id).where(sql`state = 'open'`),
    index("reservations_periods").on(t.mandateId, t.chargedOn).where(sql`charged_on is not null`),
    index("reservations_block").on(t.network, t.blockNumber).where(sql`block_number is not null`),
    check("reservations_ended", sql`(state = 'open') = (ended_at is null)`),
  ],
);

/**
 * The most that an owner's agents (or one of them) may spend from one network in any 24 hours and 30 days, over everything. The
 * counters are in the row, so that the statement that reserves locks, compares and raises them. Why: docs/decisions.md, 180.
 */
export const spendingCaps = pgTable(
  "spending_caps",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    walletId: text("wallet_id")
      .$type<WalletId>()
      .notNull()
      .references(() => wallets.id),
    /** Null: all spending of the owner on the wallet's network. */
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .references(() => agents.id),
    /** Null: no such cap. One of both is set: a row without caps is deleted. */
    maxAmountPer24Hours: usdc("max_amount_per_24_hours"),
    maxAmountPer30Days: usdc("max_amount_per_30_days"),
    /** How many payments above a cap may wait for a person, for each agent. Zero: they are refused. */
    waitingMax: integer("waiting_max").notNull().default(0),
    /** The newest hour that was counted, since 1970. It never goes back. */
    hour: integer("hour").notNull(),
    /** All that was counted, and what of it was before each of the HOURS hours up to `hour` and of the DAYS days (UTC) up to its day. */
    total: usdc("total").notNull(),
    hours: sums("hours").notNull(),
    days: sums("days").notNull(),
  },
  (t) => [
    uniqueIndex("spending_caps_of").on(t.walletId, t.agentId).where(sql`agent_id is not null`),
    uniqueIndex("spending_caps_of_owner").on(t.walletId).where(sql`agent_id is null`),
    check("spending_caps_set", sql`num_nonnulls(max_amount_per_24_hours, max_amount_per_30_days) > 0`),
    check("spending_caps_waiting", sql`waiting_max >= 0`),
  ],
);
