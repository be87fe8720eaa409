import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { anyIdText, id } from "@/lib/core/id-text";
import type { LinkId } from "@/lib/core/ids";
import { amount, positiveAmount } from "@/lib/core/money";
import { ONCE_VALID } from "@/lib/core/once-valid";
import { shownName, shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { linkErrors } from "./errors";
import { linkFile } from "./files/contract";
import { linkImage, toImageView } from "./images/contract";
import { fieldsForBuyer, isSellable, metadata, orderFields, reference, toOrderView } from "./orders/contract";
import { CONTENT_MAX, DESCRIPTION_MAX, USES_MAX, unavailable } from "./rules";
import type { LinkView } from "./service";
import type { LinkEdit } from "./terms";
import { LINK_TEXTS, mapLinkTexts } from "./texts";
import { toUpstreamView, upstreamBody, upstreamView } from "./upstream/fields";

export { LINK_STATES, type LinkState, stateOf } from "./rules";

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
const linkId = z
  .custom<LinkId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be a payment link's id (lnk_…)",
  )
  .meta(anyIdText);

/** Room for CONTENT_MAX characters in JSON, where an escape takes up to six bytes. */
export const BODY_BYTES_MAX = 262_144;
const PAGE_MAX = 100;
const PAGE = 20;

const description = shownText({ max: DESCRIPTION_MAX, hasLines: true, error: "must be a text" }).describe(
  "Shown to the buyer before they pay",
);

/** Delivered as plain text, so any Unicode without control characters is allowed. */
export const plainText = (max: number) =>
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

const flag = z.boolean("must be true or false");
const isListed = flag.describe("Whether GET /discovery/resources and other catalogues may show the link");
const isRepeatable = flag.describe(
  "Whether it is meant to be bought again: then buyers cannot sign in to read its content again",
);

export const REDIRECT_MAX = 2000;
const pageUrl = z.string("must be a URL").max(REDIRECT_MAX, `must have at most ${REDIRECT_MAX} characters`).nullable();
const redirectUrl = pageUrl.describe("Where the checkout sends a person after paying");
const cancelUrl = pageUrl.describe(
  "Where the checkout sends a person who does not pay. The same rules as for redirectUrl",
);

const texts = mapLinkTexts((name) => {
  const { max, isName, says } = LINK_TEXTS[name];
  const text = isName ? shownName() : shownText({ max, hasLines: true, error: "must be a text" });
  return text.nullable().describe(says);
});
const newTexts = mapLinkTexts((name) => texts[name].default(null));
const changedTexts = mapLinkTexts((name) => texts[name].optional());
/** Absent unless it was set. */
const shownTexts = mapLinkTexts(() => z.string().optional());
const resourceContent = plainText(CONTENT_MAX).nullable().describe("Text or JSON that the buyer gets after paying");
const fileId = id("file")
  .nullable()
  .describe("A file of the owner (POST /api/agents/{agentId}/link-files), delivered with the content");
const imageId = id("image")
  .nullable()
  .describe("An image of the owner (POST /api/agents/{agentId}/link-images), shown to buyers");

const createFields = z.object(
  {
    amount: positiveAmount,
    currency: z.literal("USDC", "must be USDC").default("USDC"),
    network: networkText.default(DEFAULT_NETWORK),
    description: description.default(""),
    ...newTexts,
    reference: reference.nullable().default(null),
    metadata: metadata.nullable().default(null),
    resourceContent: resourceContent.default(null),
    fileId: fileId.default(null),
    imageId: imageId.default(null),
    redirectUrl: redirectUrl.default(null),
    cancelUrl: cancelUrl.default(null),
    ...orderFields.shape,
    expiresAt: expiry.default(null),
    maxUses: maxUses.default(null),
    isListed: isListed.default(false),
    isRepeatable: isRepeatable.default(false),
    upstream: upstreamBody.nullable().default(null),
  },
  "must be an object",
);

export const createBody = createFields.superRefine(isSellable, ONCE_VALID);

const fixed = (name: string) => z.undefined(`cannot be changed: create a new link with another ${name}`).optional();

export const updateBody = z.object(
  {
    ...changedTexts,
    description: description.optional(),
    cancelUrl: cancelUrl.optional(),
    resourceContent: resourceContent.optional(),
    fileId: fileId.optional(),
    imageId: imageId.optional(),
    redirectUrl: redirectUrl.optional(),
    status: z.enum(["active", "disabled"], "must be active or disabled").optional(),
    expiresAt: expiry.optional(),
    maxUses: maxUses.optional(),
    isListed: isListed.optional(),
    isRepeatable: isRepeatable.optional(),
    upstream: upstreamBody.nullable().optional(),
    amount: fixed("amount"),
    network: fixed("network"),
    currency: fixed("currency"),
    reference: fixed("reference"),
    metadata: fixed("metadata"),
    customAmount: fixed("customAmount"),
    maxQuantity: fixed("maxQuantity"),
    fields: fixed("list of fields"),
  },
  "must be an object",
);

/** The changeable fields of an update request. */
export const editOf = ({
  amount: _amount,
  network: _network,
  currency: _currency,
  reference: _reference,
  metadata: _metadata,
  customAmount: _customAmount,
  maxQuantity: _maxQuantity,
  fields: _fields,
  ...edit
}: z.output<typeof updateBody>): LinkEdit => edit;

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
  ...shownTexts,
  cancelUrl: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  ...fieldsForBuyer.shape,
  reference: z.string().nullable(),
  resourceContent: z.string().nullable(),
  redirectUrl: z.string().nullable(),
  status: z.enum(["active", "disabled"]),
  expiresAt: isoDate.nullable(),
  maxUses: z.int().nullable(),
  useCount: z.int(),
  isListed: z.boolean(),
  isRepeatable: z.boolean(),
  /** Present for the link of an invoice. */
  invoiceId: id("invoice").optional(),
  file: linkFile.optional(),
  image: linkImage.optional(),
  upstream: upstreamView.optional(),
  isPayable: z.boolean(),
  unavailableReason: z.enum(["LINK_DISABLED", "LINK_EXPIRED", "LINK_SOLD_OUT"]).nullable(),
  url: z.string(),
  createdAt: isoDate,
  updatedAt: isoDate,
});

export type LinkItem = z.output<typeof linkView>;

export const digits = (requirement: string) =>
  z
    .string("must be given once")
    .regex(/^\d{1,15}$/, `must be ${requirement}`)
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
const {
  FILE_NOT_FOUND,
  IMAGE_NOT_FOUND,
  LINK_NOT_FOUND,
  LINK_OF_INVOICE,
  REDIRECT_ORIGIN_NOT_ALLOWED,
  EXPIRY_IN_PAST,
  MAX_USES_TOO_LOW,
  UPSTREAM_URL_INVALID,
  UPSTREAM_WITH_CONTENT,
} = table;
export const oneLink = z.object({ success, paymentLink: linkView });

const oneLinkExample = { 200: { ...sample.SUCCESS, paymentLink: sample.link } };

export const createLink = endpoint({
  method: "POST",
  path: "/api/payment-links",
  summary: "Create a payment link",
  description:
    "`resourceContent` is delivered once the payment has settled on the chain. The link's `url` works for agents (x402) and for people (a checkout page). With `customAmount`, `maxQuantity` or `fields`, the buyer adds `amount`, `quantity` and the fields' names to the URL as query parameters; the 402 of that URL is for exactly that order.",
  auth: "agent",
  surface: "resource",
  body: createBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: {
    REDIRECT_ORIGIN_NOT_ALLOWED,
    FILE_NOT_FOUND,
    IMAGE_NOT_FOUND,
    EXPIRY_IN_PAST,
    UPSTREAM_URL_INVALID,
    UPSTREAM_WITH_CONTENT,
    WALLET_NOT_LINKED: table.WALLET_NOT_LINKED,
    rate_limited: edgeErrors.table.rate_limited,
  },
  example: {
    request: {
      amount: "1000000",
      description: "A report",
      resourceContent: "https://service.example/r/1",
      maxUses: 10,
    },
    responses: oneLinkExample,
  },
});

export const listLinks = endpoint({
  method: "GET",
  path: "/api/payment-links",
  summary: "The agent's payment links, newest first",
  description:
    "Deleted links are not in it. Send `nextCursor` as `cursor` for the next page; it is null on the last one. `useCount` counts payments that have settled; those under way also take a place until they are over.",
  work: 60,
  auth: "agent",
  surface: "resource",
  query: page,
  response: z.object({ success, paymentLinks: z.array(linkView), nextCursor }),
  errors: {},
  example: { responses: { 200: { ...sample.SUCCESS, paymentLinks: [sample.link], ...sample.LAST_PAGE } } },
});

export const getLink = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}",
  summary: "One of the agent's payment links",
  description:
    "`isPayable` says whether a payment would be taken now, and `unavailableReason` why not. What a payer sees is at the link's `url`.",
  auth: "agent",
  surface: "resource",
  params,
  response: oneLink,
  errors: { LINK_NOT_FOUND },
  example: { responses: oneLinkExample },
});

export const updateLink = endpoint({
  method: "PATCH",
  path: "/api/payment-links/{linkId}",
  summary: "Update a payment link for future payments; null removes its expiry, limit, content, image or redirect",
  description:
    "Price, network, reference and the buyer's choices cannot be changed: payers may hold a proof for them. Create another link instead. `status: disabled` stops sales at once; payments that are under way still settle.",
  auth: "agent",
  surface: "resource",
  params,
  body: updateBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: {
    FILE_NOT_FOUND,
    IMAGE_NOT_FOUND,
    LINK_NOT_FOUND,
    LINK_OF_INVOICE,
    EXPIRY_IN_PAST,
    MAX_USES_TOO_LOW,
    REDIRECT_ORIGIN_NOT_ALLOWED,
    UPSTREAM_URL_INVALID,
    UPSTREAM_WITH_CONTENT,
  },
  example: { request: { description: "A report, second edition", maxUses: 20 }, responses: oneLinkExample },
});

export const deleteLink = endpoint({
  method: "DELETE",
  path: "/api/payment-links/{linkId}",
  summary: "Delete a payment link. It returns 404 from then on; its payments are kept",
  description:
    "It cannot be undone. To stop sales for a while, set `status` to `disabled` instead. A link of an invoice is stopped by cancelling the invoice.",
  auth: "agent",
  surface: "resource",
  params,
  response: z.object({ success, message: z.string() }),
  errors: { LINK_NOT_FOUND, LINK_OF_INVOICE },
  example: { responses: { 200: { ...sample.SUCCESS, message: "The payment link is deleted" } } },
});

export const toLinkView = ({ link, uses, payTo }: LinkView, url: string, now: Date): z.output<typeof linkView> => {
  const reason = unavailable(link, uses, now);
  const { id, linkId, amount, network, description, reference, status, expiresAt, maxUses } = link;
  const { isListed, isRepeatable, resourceContent, redirectUrl, createdAt, updatedAt } = link;
  return {
    id,
    linkId,
    amount,
    network,
    description,
    reference,
    status,
    expiresAt,
    maxUses,
    isListed,
    isRepeatable,
    resourceContent,
    redirectUrl,
    createdAt,
    updatedAt,
    payTo,
    url,
    ...toOrderView(link),
    ...mapLinkTexts((name) => link[name] ?? undefined),
    cancelUrl: link.cancelUrl ?? undefined,
    metadata: link.metadata ?? undefined,
    invoiceId: link.invoiceId ?? undefined,
    file: link.file ?? undefined,
    image: link.image ? toImageView(link.image, new URL(url).origin) : undefined,
    upstream: link.upstream ? toUpstreamView(link.upstream, new URL(url).origin, link) : undefined,
    currency: "USDC",
    assetAddress: NETWORKS[network].usdc,
    scheme: "exact",
    useCount: uses.settled,
    isPayable: reason === null && payTo !== null,
    unavailableReason: reason,
  };
};
