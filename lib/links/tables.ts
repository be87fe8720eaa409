import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, FileId, ImageId, InvoiceId, LinkId, OwnerId, PassCallId, SettlementId } from "@/lib/core/ids";
import type { ImageType } from "@/lib/core/images/image";
import { owners } from "@/lib/owners/tables";
import { address, bytea, hex, moment, uint256, usdc } from "@/lib/platform/columns";
import { settlements } from "@/lib/settlements/tables";
import type { NetworkName } from "@/lib/x402/networks";
import type { LinkFile } from "./files/rules";
import type { LinkImage, SoldImage } from "./images/image";
import type { BuyerAnswer, BuyerField } from "./orders/rules";
import type { Admitted } from "./passes/rules";
import type { PaidMethod, Upstream, UpstreamFailure } from "./upstream/rules";

/** The status set by the seller; expired and sold out are derived from other columns, the clock and the settlements. */
export type LinkStatus = "active" | "disabled";
/** Where a payment came in: a link, or the agent's permanent address (UPL). */
export type ReceivedSource = "payment_link" | "upl";

export const paymentLinks = pgTable(
  "payment_links",
  {
    linkId: text("link_id").$type<LinkId>().primaryKey(),
    id: bigint("id", { mode: "number" }).notNull().unique().generatedAlwaysAsIdentity(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /**
     * The agent's owner when the link was created. The link never pays another owner, so moving the agent does not redirect its
     * income.
     */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    amount: usdc("amount").notNull(),
    network: text("network").$type<NetworkName>().notNull(),
    /** One line above the description. */
    title: text("title"),
    description: text("description").notNull(),
    /** The seller's own reference, for example an order number. Never shown to payers. */
    reference: text("reference"),
    /** The seller's own keys and values. Never shown to payers. */
    metadata: jsonb("metadata").$type<Record<string, string>>(),
    /** The payer chooses an amount in this range; `amount` is the default. */
    minAmount: usdc("min_amount"),
    maxAmount: usdc("max_amount"),
    /** Amounts that the checkout suggests. */
    presetAmounts: usdc("preset_amounts").array(),
    /** The payer can buy up to this many; `amount` is the price of one. Null: one. */
    maxQuantity: integer("max_quantity"),
    /** Questions to the buyer. */
    fields: jsonb("fields").$type<BuyerField[]>(),
    /** Shown while the link is disabled. */
    disabledMessage: text("disabled_message"),
    taxNote: text("tax_note"),
    /** Delivered only after payment. */
    resourceContent: text("resource_content"),
    /** Delivered with the content. The file itself is in `link_files`, so that reading links never reads files. */
    file: jsonb("file").$type<LinkFile>(),
    /** Shown to buyers before they pay. The image itself is in `link_images`. */
    image: jsonb("image").$type<LinkImage>(),
    /** The seller's API, if the link sells calls to it. */
    upstream: jsonb("upstream").$type<Upstream>(),
    /** The headers that the upstream gets from the seller, as JSON. */
    sealedUpstreamHeaders: text("sealed_upstream_headers"),
    redirectUrl: text("redirect_url"),
    /** Where a person goes who leaves the checkout without paying. */
    cancelUrl: text("cancel_url"),
    status: text("status").$type<LinkStatus>().notNull(),
    /** Whether crawlers may list it (x402 extension bazaar). */
    isListed: boolean("is_listed").notNull().default(false),
    /** Whether repeated purchases are intended. If so, signing in does not open an earlier purchase. */
    isRepeatable: boolean("is_repeatable").notNull().default(false),
    /** The link's invoice; the link can only be changed through it. No foreign key, because the invoice references the link. */
    invoiceId: text("invoice_id").$type<InvoiceId>(),
    expiresAt: moment("expires_at"),
    maxUses: integer("max_uses"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    deletedAt: moment("deleted_at"),
  },
  (t) => [
    index("payment_links_agent").on(t.agentId, t.id),
    index("payment_links_listed").on(t.id).where(sql`is_listed and deleted_at is null`),
    index("payment_links_listed_agent").on(t.agentId, t.id).where(sql`is_listed and deleted_at is null`),
    index("payment_links_file").on(sql`(file ->> 'fileId')`).where(sql`file is not null and deleted_at is null`),
    index("payment_links_image").on(sql`(image ->> 'imageId')`).where(sql`image is not null and deleted_at is null`),
    check("payment_links_amount", sql`amount > 0`),
    check("payment_links_uses", sql`max_uses > 0`),
    check("payment_links_quantity", sql`max_quantity is null or (max_quantity > 1 and min_amount is null)`),
    check("payment_links_upstream", sql`upstream is not null or sealed_upstream_headers is null`),
    check(
      "payment_links_range",
      sql`(min_amount is null) = (max_amount is null) and 0 < min_amount and min_amount <= amount and amount <= max_amount`,
    ),
  ],
);

/**
 * A link in the public directory: the best of each owner's listed links, up to the owner's limit. Written by `listings/service.ts`;
 * the link itself decides whether it is still shown. No foreign keys: see `lock` in `listings/store.ts`.
 */
export const linkListings = pgTable(
  "link_listings",
  {
    linkId: text("link_id").$type<LinkId>().primaryKey(),
    ownerId: text("owner_id").$type<OwnerId>().notNull(),
    /** The link's number: older links have smaller ones. */
    number: bigint("number", { mode: "number" }).notNull(),
    /** Counted sales when the row was last written, up to a limit. */
    sales: integer("sales").notNull(),
    /** The beginning of its description. */
    text: text("text").notNull(),
  },
  (t) => [index("link_listings_rank").on(t.sales.desc(), t.number), index("link_listings_owner").on(t.ownerId)],
);

/** A sale by an agent. Its settlement has the status. */
export const receivedPayments = pgTable(
  "received_payments",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .notNull()
      .unique()
      .references(() => settlements.id),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    /** The agent's owner at the time of sale, who was paid. The agent may have another owner now. */
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    source: text("source").$type<ReceivedSource>().notNull(),
    linkId: text("link_id")
      .$type<LinkId>()
      .references(() => paymentLinks.linkId),
    /** The link's content when the proof was accepted; later changes of the link do not affect it. */
    content: text("content"),
    /** The link's file at that time. */
    file: jsonb("file").$type<LinkFile>(),
    /** The id and alternative text of the link's image at that time, for the receipt. */
    image: jsonb("image").$type<SoldImage>(),
    /** The link's title at that time. */
    title: text("title"),
    /** The link's tax note at that time. */
    taxNote: text("tax_note"),
    /** How many were bought; null for one. */
    quantity: integer("quantity"),
    /** The buyer's answers to the link's fields; null if there are none. */
    answers: jsonb("answers").$type<BuyerAnswer[]>(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("received_payments_agent").on(t.agentId, t.id),
    index("received_payments_owner").on(t.ownerId, t.id),
    index("received_payments_owner_time").on(t.ownerId, t.createdAt),
    index("received_payments_link").on(t.linkId, t.id),
    index("received_payments_file").on(sql`(file ->> 'fileId')`).where(sql`file is not null`),
    check("received_payments_source", sql`(source = 'payment_link') = (link_id is not null)`),
  ],
);

/**
 * A paid request to an upstream. Written with its payment's claim. `triesStarted` counts requests to the upstream; at most one runs at a
 * time, until `busyUntil` if its process dies.
 */
export const upstreamCalls = pgTable(
  "upstream_calls",
  {
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .primaryKey()
      .references(() => settlements.id),
    linkId: text("link_id")
      .$type<LinkId>()
      .notNull()
      .references(() => paymentLinks.linkId),
    method: text("method").$type<PaidMethod>().notNull(),
    path: text("path").notNull(),
    /** The link's path that it was sold as: figures by what buyers wrote would have a row for each of them. */
    pattern: text("pattern").notNull(),
    /** `fingerprintOf` the request. */
    fingerprint: text("fingerprint").notNull(),
    /** Of the caller's address, under a key of the service: who may ask again with the proof alone. */
    callerHash: text("caller_hash").notNull(),
    triesStarted: integer("tries_started").notNull().default(0),
    busyUntil: moment("busy_until"),
    /** The status that the upstream answered last; null without an answer. */
    status: integer("status"),
    failure: text("failure").$type<UpstreamFailure>(),
    milliseconds: integer("milliseconds"),
    /** Set with a failure when a streamed answer reached a limit of the link: the buyer has it until then, and gets no other try. */
    answeredAt: moment("answered_at"),
    /** The answer, for an hour, if it is small: JSON of its status, headers and bytes (base64). */
    sealedAnswer: text("sealed_answer"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("upstream_calls_link").on(t.linkId, t.createdAt),
    index("upstream_calls_kept").on(t.answeredAt).where(sql`sealed_answer is not null`),
    check(
      "upstream_calls_answered",
      sql`case when answered_at is null then status is null or failure is not null else status is not null end`,
    ),
  ],
);

/**
 * The last upstream of a link that sells no calls any more, for buyers who have paid. Deleted after `ENDED_UPSTREAM_SECONDS`, once no pass
 * of the link can be used.
 */
export const endedUpstreams = pgTable(
  "ended_upstreams",
  {
    linkId: text("link_id")
      .$type<LinkId>()
      .primaryKey()
      .references(() => paymentLinks.linkId),
    upstream: jsonb("upstream").$type<Upstream>().notNull(),
    sealedUpstreamHeaders: text("sealed_upstream_headers"),
    endedAt: moment("ended_at").notNull(),
  },
  (t) => [index("ended_upstreams_time").on(t.endedAt)],
);

/**
 * A pass for calls to an upstream, with the terms at which it was bought. Written with its payment's claim; it admits calls while that
 * payment is settled.
 */
export const passes = pgTable(
  "passes",
  {
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .primaryKey()
      .references(() => settlements.id),
    linkId: text("link_id")
      .$type<LinkId>()
      .notNull()
      .references(() => paymentLinks.linkId),
    /** Whether its units are atomic USDC, and each call takes what the upstream says that it cost. Otherwise they are calls. */
    isByUse: boolean("is_by_use").notNull(),
    /** Null for any number of calls. */
    units: uint256("units"),
    /** The least that a call takes. */
    leastUnits: uint256("least_units").notNull(),
    hours: integer("hours"),
    isRefundable: boolean("is_refundable").notNull(),
    admitted: jsonb("admitted").$type<Admitted>().notNull(),
    /** Of the buyer's address, under a key of the service: who may ask for the token again with the proof alone. */
    callerHash: text("caller_hash").notNull(),
    /** Of calls that were answered, those under way, and failed ones that no longer come back. */
    unitsTaken: uint256("units_taken").notNull().default(sql`0`),
    /** Of calls to which the upstream gave no answer. */
    unitsFailed: uint256("units_failed").notNull().default(sql`0`),
    lastUsedAt: moment("last_used_at"),
    /** The transfers of its approved refunds: while one is not void, no call is admitted. */
    refundTransfers: text("refund_transfers").$type<SettlementId>().array().notNull().default([]),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [
    index("passes_link").on(t.linkId, t.createdAt),
    check(
      "passes_limits",
      sql`num_nonnulls(units, hours) > 0 and coalesce(units, 1) > 0 and coalesce(hours, 1) > 0 and least_units > 0
        and (units is not null or not is_by_use)`,
    ),
    check("passes_taken", sql`units_taken >= 0 and units_failed >= 0 and (units is null or units_taken <= units)`),
  ],
);

/** A call on a pass that is under way. Its row is deleted with its end; after `busyUntil` a job ends it, because its process has died. */
export const passCalls = pgTable(
  "pass_calls",
  {
    callId: text("call_id").$type<PassCallId>().primaryKey(),
    settlementId: text("settlement_id")
      .$type<SettlementId>()
      .notNull()
      .references(() => passes.settlementId),
    /** What it took from the pass. */
    units: uint256("units").notNull(),
    busyUntil: moment("busy_until").notNull(),
  },
  (t) => [index("pass_calls_pass").on(t.settlementId), index("pass_calls_dead").on(t.busyUntil)],
);

/** A visit to a link's checkout page, as reported by the visitor's browser. Statistics only, not trusted for payments. */
export const linkVisits = pgTable(
  "link_visits",
  {
    linkId: text("link_id")
      .$type<LinkId>()
      .notNull()
      .references(() => paymentLinks.linkId),
    /** A random id generated by the browser for one visit. */
    visitId: text("visit_id").notNull(),
    viewedAt: moment("viewed_at").notNull(),
    connectedAt: moment("connected_at"),
    signedAt: moment("signed_at"),
    /** The authorization that the visitor claims to have signed. Only its settlement shows whether it was paid. */
    payer: address("payer"),
    nonce: hex("nonce"),
  },
  (t) => [
    primaryKey({ columns: [t.linkId, t.visitId] }),
    index("link_visits_viewed").on(t.linkId, t.viewedAt),
    index("link_visits_age").on(t.viewedAt),
    check("link_visits_signed", sql`(signed_at is null) = (nonce is null) and (nonce is null) = (payer is null)`),
  ],
);

/** A rejected proof that was presented at a link. Accepted ones are settlements. */
export const linkRefusals = pgTable(
  "link_refusals",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    linkId: text("link_id")
      .$type<LinkId>()
      .notNull()
      .references(() => paymentLinks.linkId),
    code: text("code").notNull(),
    /** The payer that the proof names, if readable; not verified. */
    payer: address("payer"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [index("link_refusals_link").on(t.linkId, t.id)],
);

/** An owner's uploaded file for links. Kept while a link uses it, and permanently once it is sold: the buyer may download it again. */
export const linkFiles = pgTable(
  "link_files",
  {
    fileId: text("file_id").$type<FileId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    name: text("name").notNull(),
    bytes: integer("bytes").notNull(),
    sha256: text("sha256").notNull(),
    createdAt: moment("created_at").notNull(),
    /** Null until the upload is complete. */
    completedAt: moment("completed_at"),
    /** When it was uploaded or removed from a link; another link or a buyer may still need it. Null: it is kept. */
    unusedSince: moment("unused_since"),
  },
  (t) => [
    index("link_files_owner").on(t.ownerId),
    index("link_files_unused").on(t.unusedSince).where(sql`unused_since is not null`),
    check("link_files_complete", sql`completed_at is null or bytes > 0`),
  ],
);

export const linkFileChunks = pgTable(
  "link_file_chunks",
  {
    fileId: text("file_id")
      .$type<FileId>()
      .notNull()
      .references(() => linkFiles.fileId, { onDelete: "cascade" }),
    place: integer("place").notNull(),
    bytes: bytea("bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.fileId, t.place] })],
);

/** An image that an owner uploaded for links. Deleted once no link uses it. */
export const linkImages = pgTable(
  "link_images",
  {
    imageId: text("image_id").$type<ImageId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    type: text("type").$type<ImageType>().notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** The size of `data`, so that adding up sizes reads no images. */
    bytes: integer("bytes").notNull(),
    data: bytea("data").notNull(),
    createdAt: moment("created_at").notNull(),
    /** When it was uploaded. Null once a link has it. */
    unusedSince: moment("unused_since"),
  },
  (t) => [
    index("link_images_owner").on(t.ownerId),
    index("link_images_unused").on(t.unusedSince).where(sql`unused_since is not null`),
    check("link_images_bytes", sql`bytes = octet_length(data) and bytes > 0`),
  ],
);
