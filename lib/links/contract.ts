import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { type Address, addressText, bytes32 } from "@/lib/core/address";
import { endpoint } from "@/lib/core/endpoint";
import { agentId, id, type LinkId } from "@/lib/core/ids";
import { amount, formatUsdc, positiveAmount, type Usdc, ZERO } from "@/lib/core/money";
import { shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time";
import { presentSettlement, receiptUrl } from "@/lib/settlements/contract";
import { settlementErrors } from "@/lib/settlements/errors";
import type { Settlement } from "@/lib/settlements/service";
import { NETWORK_NAMES, NETWORKS, type NetworkName, networkText } from "@/lib/x402/networks";
import { linkErrors } from "./errors";
import {
  CONTENT_MAX,
  DESCRIPTION_MAX,
  type LinkState,
  stateOf,
  type Unavailable,
  USES_MAX,
  unavailable,
} from "./rules";
import type { CheckoutLink, LinkView, Received } from "./service";

export { LINK_STATES, type LinkState } from "./rules";

/** Any text that could be an id: one that we never gave out is not found, like somebody else's. */
const linkId = z.custom<LinkId>(
  (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
  "must be a payment link's id (lnk_…)",
);

/** As JSON, whose escapes make six bytes of one. */
const BODY_BYTES_MAX = 262_144;
const PAGE_MAX = 100;
const PAGE = 20;

/** Shown to the buyer before they pay. */
const description = shownText({ max: DESCRIPTION_MAX, hasLines: true, error: "must be a text" });

/** Shown as text to people and programs, so it may say anything that can be stored and shown. */
export const shown = (max: number) =>
  z
    .string("must be a text")
    .refine((said) => said.length <= 2 * max && [...said].length <= max, `must have at most ${max} characters`)
    .refine(
      (said) => said.isWellFormed() && !/(?![\n\r\t])\p{Cc}/u.test(said),
      "must be Unicode without control characters",
    );

const expiry = isoDate.nullable();

const maxUses = z
  .int("must be a whole number, or null for no limit")
  .min(1, "must be at least 1, or null for no limit")
  .max(USES_MAX, `must be at most ${USES_MAX}`)
  .nullable();

const redirectUrl = z.string("must be a URL").max(2000, "must have at most 2000 characters").nullable();

const createBody = z.object(
  {
    amount: positiveAmount,
    currency: z.literal("USDC", "must be USDC").default("USDC"),
    network: networkText.default("base"),
    description: description.default(""),
    resourceContent: shown(CONTENT_MAX).nullable().default(null),
    redirectUrl: redirectUrl.default(null),
    expiresAt: expiry.default(null),
    maxUses: maxUses.default(null),
  },
  "must be an object",
);

const fixed = (name: string) => z.undefined(`cannot be changed: make a new link with another ${name}`).optional();

const updateBody = z.object(
  {
    description: description.optional(),
    resourceContent: shown(CONTENT_MAX).nullable().optional(),
    redirectUrl: redirectUrl.optional(),
    status: z.enum(["active", "disabled"], "must be active or disabled").optional(),
    expiresAt: expiry.optional(),
    maxUses: maxUses.optional(),
    amount: fixed("amount"),
    network: fixed("network"),
    currency: fixed("currency"),
  },
  "must be an object",
);

const VISIT_ID = "must be 16 to 40 letters, digits, _ or -";
const visitId = z.string(VISIT_ID).regex(/^[\w-]{16,40}$/, VISIT_ID);

const visitBody = z.discriminatedUnion(
  "step",
  [
    z.object({ visitId, step: z.enum(["viewed", "connected"]) }),
    z.object({ visitId, step: z.literal("signed"), payer: addressText, nonce: bytes32 }),
  ],
  { error: ({ code }) => (code === "invalid_union" ? "must be viewed, connected or signed" : "must be an object") },
);

export const linkView = z.object({
  id: z.int(),
  linkId: id("link"),
  amount,
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  payTo: addressText.nullable(),
  assetAddress: addressText,
  scheme: z.literal("exact"),
  description: z.string(),
  resourceContent: z.string().nullable(),
  redirectUrl: z.string().nullable(),
  status: z.enum(["active", "disabled"]),
  expiresAt: isoDate.nullable(),
  maxUses: z.int().nullable(),
  useCount: z.int(),
  isPayable: z.boolean(),
  unavailableReason: z.enum(["LINK_DISABLED", "LINK_EXPIRED", "LINK_SOLD_OUT"]).nullable(),
  url: z.string(),
  createdAt: isoDate,
  updatedAt: isoDate,
});

export type LinkItem = z.output<typeof linkView>;

export const receivedView = z.object({
  id: z.int(),
  payerAddress: addressText,
  amount,
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  settlementStatus: z.enum(["pending", "settled", "failed", "refunded"]),
  settlementTxHash: z.string().nullable(),
  /** Why it is not settled, of one that failed or that we stopped submitting. */
  failureCode: z.string().nullable(),
  /** Until when it can still be paid although we stopped submitting it. */
  stillValidUntil: isoDate.nullable(),
  /** What was given back of it so far; `settlementStatus` is refunded once that is all of it. */
  refundedAmount: amount,
  sourceType: z.enum(["payment_link", "upl"]),
  description: z.string(),
  paymentLinkId: id("link").nullable(),
  payerEmail: z.null(),
  payTo: addressText,
  settlementId: id("settlement"),
  receiptUrl: z.string(),
  createdAt: isoDate,
});

const digits = (what: string) =>
  z
    .string("must be given once")
    .regex(/^\d{1,15}$/, `must be ${what}`)
    .transform(Number);

const page = z.object({
  limit: digits(`a number from 1 to ${PAGE_MAX}`)
    .refine((count) => count >= 1 && count <= PAGE_MAX, `must be a number from 1 to ${PAGE_MAX}`)
    .default(PAGE),
  cursor: digits("the nextCursor of a list").optional(),
});

/** For clients that count instead of following the cursor. */
export const countedPage = page.extend({ offset: digits("a number of rows to pass over").optional() });

const success = z.literal(true);
const nextCursor = z.string().nullable();
const params = z.object({ linkId });
const { table } = linkErrors;
const { LINK_NOT_FOUND, REDIRECT_ORIGIN_NOT_ALLOWED, EXPIRY_IN_PAST, MAX_USES_TOO_LOW, PAYMENT_NOT_FOUND } = table;
const oneLink = z.object({ success, paymentLink: linkView });

export const createLink = endpoint({
  method: "POST",
  path: "/api/payment-links",
  summary: "Make a payment link",
  auth: "agent",
  surface: "resource",
  body: createBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: { REDIRECT_ORIGIN_NOT_ALLOWED, EXPIRY_IN_PAST, WALLET_NOT_LINKED: table.WALLET_NOT_LINKED },
});

export const listLinks = endpoint({
  method: "GET",
  path: "/api/payment-links",
  summary: "The agent's payment links, newest first",
  auth: "agent",
  surface: "resource",
  query: page,
  response: z.object({ success, paymentLinks: z.array(linkView), nextCursor }),
  errors: {},
});

export const getLink = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}",
  summary: "One of the agent's payment links",
  auth: "agent",
  surface: "resource",
  params,
  response: oneLink,
  errors: { LINK_NOT_FOUND },
});

export const updateLink = endpoint({
  method: "PATCH",
  path: "/api/payment-links/{linkId}",
  summary:
    "Change a payment link for whoever pays from now on; null removes an expiry, a limit, a content or a redirect",
  auth: "agent",
  surface: "resource",
  params,
  body: updateBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: { LINK_NOT_FOUND, EXPIRY_IN_PAST, MAX_USES_TOO_LOW, REDIRECT_ORIGIN_NOT_ALLOWED },
});

export const deleteLink = endpoint({
  method: "DELETE",
  path: "/api/payment-links/{linkId}",
  summary: "Delete a payment link: it is 404 from now on, its payments stay",
  auth: "agent",
  surface: "resource",
  params,
  response: z.object({ success, message: z.string() }),
  errors: { LINK_NOT_FOUND },
});

const { agent_not_found } = agentErrors.table;

export const createOwnedLink = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/payment-links",
  summary: "Make a payment link for an agent of one's own",
  auth: "owner",
  surface: "wallet",
  params: z.object({ agentId }),
  body: createBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: { agent_not_found, ...createLink.errors },
});

export const updateOwnedLink = endpoint({
  method: "PATCH",
  path: "/api/agents/{agentId}/payment-links/{linkId}",
  summary: "Change a payment link of an agent of one's own",
  auth: "owner",
  surface: "wallet",
  params: params.extend({ agentId }),
  body: updateBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: { agent_not_found, ...updateLink.errors },
});

export const deleteOwnedLink = endpoint({
  method: "DELETE",
  path: "/api/agents/{agentId}/payment-links/{linkId}",
  summary: "Delete a payment link of an agent of one's own",
  auth: "owner",
  surface: "wallet",
  params: params.extend({ agentId }),
  response: deleteLink.response,
  errors: { agent_not_found, LINK_NOT_FOUND },
});

const payments = z.object({ success, payments: z.array(receivedView), nextCursor });

export const listLinkPayments = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}/payments",
  summary: "What a link was paid, newest first",
  auth: "agent",
  surface: "resource",
  params,
  query: page,
  response: payments,
  errors: { LINK_NOT_FOUND },
});

export const listReceivedPayments = endpoint({
  method: "GET",
  path: "/api/received-payments",
  summary: "What the agent was paid, at its links and at its UPL, newest first",
  auth: "agent",
  surface: "resource",
  query: countedPage,
  response: payments,
  errors: {},
});

export const getReceivedPayment = endpoint({
  method: "GET",
  path: "/api/received-payments/{paymentId}",
  summary: "One payment the agent received",
  auth: "agent",
  surface: "resource",
  params: z.object({ paymentId: z.string() }),
  response: z.object({ success, payment: receivedView }),
  errors: { PAYMENT_NOT_FOUND },
});

export const visitLink = endpoint({
  method: "POST",
  path: "/api/payment-links/{linkId}/visits",
  summary: "How far a visitor of the checkout page has come; for the seller's eyes, without any effect on a payment",
  auth: "none",
  surface: "resource",
  limitPerAddress: "visit_per_address",
  params,
  body: visitBody,
  bodyBytesMax: 1024,
  response: z.object({ success }),
  errors: { LINK_NOT_FOUND },
});

/** Also answers `/pay/{linkId}` to whoever does not ask for HTML. */
export const payLink = endpoint({
  method: "GET",
  path: "/paymentlink/{linkId}",
  summary: "A payment link for programs: 402 with what to pay, then what was bought",
  auth: "none",
  surface: "resource",
  params,
  response: z.unknown(),
  errors: { ...table, ...settlementErrors.table },
});

export const presentLink = ({ link, uses, payTo }: LinkView, url: string, now: Date): z.output<typeof linkView> => {
  const why = unavailable(link, uses, now);
  const { id, linkId, amount, network, description, resourceContent, redirectUrl, status, expiresAt, maxUses } = link;
  return {
    ...{ id, linkId, amount, network, description, resourceContent, redirectUrl, status, expiresAt, maxUses },
    currency: "USDC",
    payTo,
    assetAddress: NETWORKS[network].usdc,
    scheme: "exact",
    useCount: uses.settled,
    isPayable: why === null && payTo !== null,
    unavailableReason: why,
    url,
    createdAt: link.createdAt,
    updatedAt: link.updatedAt,
  };
};

export const stateOfView = ({ link, uses }: LinkView, now: Date): LinkState => stateOf(link, uses, now);

/** What a browser is told of a link before anybody has paid: neither its content nor where it leads. */
export type CheckoutView = {
  linkId: LinkId;
  url: string;
  amount: string;
  amountFormatted: string;
  network: NetworkName;
  networkLabel: string;
  chainId: number;
  description: string;
  payee: { name: string; address: Address } | null;
  usesLeft: number | null;
  maxUses: number | null;
  expiresAt: string | null;
  unavailableReason: Unavailable | "NOBODY_TO_PAY" | null;
  hasContent: boolean;
  redirectHost: string | null;
  /** The server's clock, in milliseconds: a visitor's may be wrong. */
  servedAt: number;
};

export const presentCheckout = (
  { link, uses, payee }: CheckoutLink,
  { url, redirectUrl, now }: { url: string; redirectUrl: string | null; now: Date },
): CheckoutView => ({
  linkId: link.linkId,
  url,
  amount: link.amount.toString(),
  amountFormatted: formatUsdc(link.amount),
  network: link.network,
  networkLabel: NETWORKS[link.network].label,
  chainId: NETWORKS[link.network].chainId,
  description: link.description,
  payee: payee && { name: payee.name, address: payee.address },
  usesLeft: link.maxUses === null ? null : Math.max(0, link.maxUses - uses.settled - uses.open),
  maxUses: link.maxUses,
  expiresAt: link.expiresAt?.toISOString() ?? null,
  unavailableReason: unavailable(link, uses, now) ?? (payee ? null : "NOBODY_TO_PAY"),
  hasContent: link.resourceContent !== null,
  redirectHost: redirectUrl === null ? null : new URL(redirectUrl).host,
  servedAt: now.getTime(),
});

/** `refunded`: what refunds of it have given back, in atomic units. */
export const presentReceived = (
  { received, settlement }: Received,
  baseUrl: string,
  refunded: Usdc = ZERO,
): z.output<typeof receivedView> => {
  const view = presentSettlement(settlement, baseUrl);
  const { payer, payee, amount, network, description, settlementId, settlementStatus, txHash } = view;
  return {
    id: received.id,
    payerAddress: payer,
    amount,
    currency: "USDC",
    network,
    settlementStatus: refunded >= amount ? "refunded" : settlementStatus,
    settlementTxHash: txHash,
    failureCode: view.failureCode,
    stillValidUntil: view.stillValidUntil,
    refundedAmount: refunded,
    sourceType: received.source,
    description,
    paymentLinkId: received.linkId,
    payerEmail: null,
    payTo: payee,
    settlementId,
    receiptUrl: view.receiptUrl,
    createdAt: received.createdAt,
  };
};

/** What a payer gets, once the chain shows the transfer. */
export const presentPurchase = (
  content: string | null,
  settlement: Settlement,
  { redirectUrl, contentUrl, baseUrl }: { redirectUrl: string | null; contentUrl: string; baseUrl: string },
) => ({
  success: true as const,
  status: "success" as const,
  resource: content,
  receipt: {
    txHash: settlement.txHash,
    payer: settlement.payer,
    payee: settlement.payee,
    amount: settlement.amount.toString(),
    currency: "USDC" as const,
    network: settlement.network,
  },
  ...(redirectUrl !== null && { redirectUrl }),
  settlementId: settlement.id,
  receiptUrl: receiptUrl(baseUrl, settlement.id),
  contentUrl,
});
