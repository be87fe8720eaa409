import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { addressText } from "@/lib/core/address";
import { endpoint } from "@/lib/core/endpoint";
import { agentId, anyIdText, id, type LinkId } from "@/lib/core/ids";
import { amount, positiveAmount } from "@/lib/core/money";
import { shownName, shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { NETWORK_NAMES, NETWORKS, networkText } from "@/lib/x402/networks";
import { linkErrors } from "./errors";
import { CONTENT_MAX, DESCRIPTION_MAX, type LinkState, stateOf, USES_MAX, unavailable } from "./rules";
import type { LinkView } from "./service";

export { LINK_STATES, type LinkState } from "./rules";

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
const linkId = z
  .custom<LinkId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be a payment link's id (lnk_…)",
  )
  .meta(anyIdText);

/** Room for CONTENT_MAX characters in JSON, where an escape takes up to six bytes. */
const BODY_BYTES_MAX = 262_144;
const PAGE_MAX = 100;
const PAGE = 20;

/** Shown to the buyer before they pay. */
const description = shownText({ max: DESCRIPTION_MAX, hasLines: true, error: "must be a text" });

/** Delivered as plain text, so any Unicode without control characters is allowed. */
export const shown = (max: number) =>
  z
    .string("must be a text")
    .refine((text) => text.length <= 2 * max && [...text].length <= max, `must have at most ${max} characters`)
    .refine(
      (text) => text.isWellFormed() && !/(?![\n\r\t])\p{Cc}/u.test(text),
      "must be Unicode without control characters",
    )
    .meta({ maxLength: max });

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
    reference: shownName().nullable().default(null),
    resourceContent: shown(CONTENT_MAX).nullable().default(null),
    redirectUrl: redirectUrl.default(null),
    expiresAt: expiry.default(null),
    maxUses: maxUses.default(null),
  },
  "must be an object",
);

const fixed = (name: string) => z.undefined(`cannot be changed: create a new link with another ${name}`).optional();

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
    reference: fixed("reference"),
  },
  "must be an object",
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
  reference: z.string().nullable(),
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

export const digits = (what: string) =>
  z
    .string("must be given once")
    .regex(/^\d{1,15}$/, `must be ${what}`)
    .transform(Number);

export const page = z.object({
  limit: digits(`a number from 1 to ${PAGE_MAX}`)
    .refine((count) => count >= 1 && count <= PAGE_MAX, `must be a number from 1 to ${PAGE_MAX}`)
    .default(PAGE),
  cursor: digits("the nextCursor of a list").optional(),
});

const success = z.literal(true);
const nextCursor = z.string().nullable();
export const params = z.object({ linkId });
const { table } = linkErrors;
const { LINK_NOT_FOUND, REDIRECT_ORIGIN_NOT_ALLOWED, EXPIRY_IN_PAST, MAX_USES_TOO_LOW } = table;
const oneLink = z.object({ success, paymentLink: linkView });

export const createLink = endpoint({
  method: "POST",
  path: "/api/payment-links",
  summary: "Create a payment link",
  description:
    "`resourceContent` is delivered once the payment has settled on the chain. The link's `url` works for agents (x402) and for people (a checkout page).",
  examples: {
    request: {
      amount: "1000000",
      description: "A report",
      resourceContent: "https://service.example/r/1",
      maxUses: 10,
    },
  },
  auth: "agent",
  surface: "resource",
  body: createBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: {
    REDIRECT_ORIGIN_NOT_ALLOWED,
    EXPIRY_IN_PAST,
    WALLET_NOT_LINKED: table.WALLET_NOT_LINKED,
    rate_limited: edgeErrors.table.rate_limited,
  },
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
  summary: "Update a payment link for future payments; null removes its expiry, limit, content or redirect",
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
  summary: "Delete a payment link. It returns 404 from then on; its payments are kept",
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
  summary: "Create a payment link for one of the owner's agents",
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
  summary: "Update a payment link of one of the owner's agents",
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
  summary: "Delete a payment link of one of the owner's agents",
  auth: "owner",
  surface: "wallet",
  params: params.extend({ agentId }),
  response: deleteLink.response,
  errors: { agent_not_found, LINK_NOT_FOUND },
});

export const toLinkView = ({ link, uses, payTo }: LinkView, url: string, now: Date): z.output<typeof linkView> => {
  const why = unavailable(link, uses, now);
  const { id, linkId, amount, network, description, reference, status, expiresAt, maxUses } = link;
  return {
    ...{ id, linkId, amount, network, description, reference, status, expiresAt, maxUses },
    resourceContent: link.resourceContent,
    redirectUrl: link.redirectUrl,
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
