import { z } from "zod";
import type { Address } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import type { LinkId } from "@/lib/core/ids";
import { formatUsdc, positiveAmountText } from "@/lib/core/money";
import * as sample from "@/lib/samples";
import { receiptUrl } from "@/lib/settlements/contract";
import { proofErrors } from "@/lib/settlements/errors";
import { paymentResponses, SIGN_IN_REFUSALS, URL_REFUSALS } from "@/lib/settlements/responses";
import type { Settlement } from "@/lib/settlements/service";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { params } from "../contract";
import { linkErrors } from "../errors";
import { soldFile } from "../files/contract";
import type { SoldFile } from "../files/service";
import { altOf, type ShownImage, shownImage } from "../images/image";
import { type BuyerField, hasChoice } from "../orders/rules";
import type { PassOffer } from "../passes/terms";
import { type Link, type Unavailable, unavailable } from "../rules";
import { soldPaths, type Upstream, type UpstreamKind } from "../upstream/rules";
import { mcpUrl, paidUrl, soldApiUrl } from "../urls";
import type { CheckoutLink } from "./service";

const { LINK_NOT_FOUND, WALLET_NOT_LINKED, LINK_DISABLED, LINK_EXPIRED, LINK_SOLD_OUT } = linkErrors.table;
const { AMOUNT_NOT_OFFERED, QUANTITY_NOT_OFFERED, FIELD_INVALID } = linkErrors.table;
const { LINK_SELLS_CALLS } = linkErrors.table;
const ORDER_ERRORS = { AMOUNT_NOT_OFFERED, QUANTITY_NOT_OFFERED, FIELD_INVALID };

/** The content of a link, once the chain shows the transfer. */
const purchase = z.object({
  success: z.literal(true),
  status: z.literal("success"),
  resource: z.string().nullable(),
  /** For a link with a file. */
  file: soldFile.optional(),
  receipt: z.object({
    txHash: z.string().nullable(),
    payer: addressText,
    payee: addressText,
    amount: z.string(),
    currency: z.literal("USDC"),
    network: z.enum(NETWORK_NAMES),
  }),
  redirectUrl: z.string().optional(),
  settlementId: id("settlement"),
  receiptUrl: z.string(),
  /** Returns the content again to anyone with this URL. */
  contentUrl: z.string(),
});

const contentUrlExample = `${sample.ORIGIN}/api/settlements/${sample.SETTLEMENT}?key=Zk3pQ7vN`;

/** Also serves `/pay/{linkId}` to clients that do not accept HTML. */
export const payLink = endpoint({
  method: "GET",
  path: "/paymentlink/{linkId}",
  summary: "A payment link for programs: 402 with the payment requirement, then the content for a valid proof",
  description:
    "Also at /pay/{linkId}, where browsers get a checkout page. The names of the link's `fields` are query parameters too. The requirement is for exactly the order in the query: send the proof to the same URL. Present the same proof again after a 202, a 5xx or a lost connection: it is never taken twice.",
  auth: "none",
  surface: "resource",
  work: 4,
  headers: {
    "SIGN-IN-WITH-X":
      "x402 extension sign-in-with-x: the challenge of this URL's last 402, signed by a wallet that paid, as base64 of JSON. Returns what the wallet bought, without a payment",
  },
  params,
  query: z.looseObject({
    amount: z
      .unknown()
      .optional()
      .meta({ ...positiveAmountText, description: "For a link with `customAmount`: atomic units, within its range" }),
    quantity: z
      .unknown()
      .optional()
      .meta({ type: "string", pattern: "^[1-9][0-9]{0,4}$", description: "For a link with `maxQuantity`" }),
  }),
  response: paymentResponses(purchase, { contentUrl: z.string() }, [...URL_REFUSALS, ...SIGN_IN_REFUSALS]),
  errors: {
    ...ORDER_ERRORS,
    LINK_NOT_FOUND,
    WALLET_NOT_LINKED,
    LINK_SELLS_CALLS,
    LINK_DISABLED,
    LINK_EXPIRED,
    LINK_SOLD_OUT,
    ...proofErrors,
  },
  example: {
    responses: {
      200: {
        ...sample.SUCCESS,
        status: "success",
        resource: sample.link.resourceContent,
        receipt: {
          txHash: sample.TX_HASH,
          payer: sample.BUYER,
          payee: sample.WALLET,
          amount: "1000000",
          currency: "USDC",
          network: sample.NETWORK,
        },
        settlementId: sample.SETTLEMENT,
        receiptUrl: sample.receiptUrl,
        contentUrl: contentUrlExample,
      },
      202: { ...sample.pending, contentUrl: contentUrlExample },
    },
  },
});

/** What the browser gets before payment: without the content and the redirect URL. */
export type CheckoutView = {
  linkId: LinkId;
  url: string;
  amount: string;
  amountFormatted: string;
  network: NetworkName;
  networkLabel: string;
  chainId: number;
  title: string | null;
  description: string;
  image: ShownImage | null;
  /** The buyer's choices and questions; null for a link without any. Amounts in atomic units. */
  options: {
    range: { min: string; max: string; presets: string[] } | null;
    maxQuantity: number | null;
    fields: readonly BuyerField[];
  } | null;
  /** The seller's message, shown while the link is disabled. */
  disabledMessage: string | null;
  cancelUrl: string | null;
  payee: { name: string; address: Address } | null;
  usesLeft: number | null;
  maxUses: number | null;
  /** A payment that may still fail holds a place. */
  hasPendingPayment: boolean;
  expiresAt: string | null;
  unavailableReason: Unavailable | "NOBODY_TO_PAY" | "SELLS_CALLS" | null;
  /** What programs pay for, request by request; null for a link that is paid here. */
  calls: {
    kind: UpstreamKind;
    /** Of an MCP server. */
    mcpUrl: string | null;
    paidUrl: string;
    openApiUrl: string;
    methods: readonly string[];
    /** `path`: null for every path. Amounts in atomic units. */
    paths: { path: string | null; amount: string }[];
    pass: PassOffer | null;
  } | null;
  hasContent: boolean;
  /** The file that is delivered, or null. */
  file: { name: string; bytes: number } | null;
  redirectHost: string | null;
  /** The server's clock in Unix milliseconds, because the visitor's may be wrong. */
  servedAt: number;
};

export const toCheckoutView = (
  { link, uses, payee }: CheckoutLink,
  {
    url,
    redirectUrl,
    cancelUrl,
    now,
  }: { url: string; redirectUrl: string | null; cancelUrl: string | null; now: Date },
): CheckoutView => ({
  linkId: link.linkId,
  url,
  amount: link.amount.toString(),
  amountFormatted: formatUsdc(link.amount),
  network: link.network,
  networkLabel: NETWORKS[link.network].label,
  chainId: NETWORKS[link.network].chainId,
  title: link.title,
  description: link.description,
  image: link.image && shownImage(new URL(url).origin, { ...link.image, alt: altOf(link) }),
  options: hasChoice(link) ? toOptions(link) : null,
  disabledMessage: link.disabledMessage,
  cancelUrl,
  payee: payee && { name: payee.name, address: payee.address },
  usesLeft: link.maxUses === null ? null : Math.max(0, link.maxUses - uses.settled - uses.open),
  maxUses: link.maxUses,
  hasPendingPayment: uses.open > 0,
  expiresAt: link.expiresAt?.toISOString() ?? null,
  unavailableReason: unavailable(link, uses, now) ?? (payee ? (link.upstream ? "SELLS_CALLS" : null) : "NOBODY_TO_PAY"),
  calls: link.upstream && toCalls(link, link.upstream, new URL(url).origin),
  hasContent: link.resourceContent !== null,
  file: link.file && { name: link.file.name, bytes: link.file.bytes },
  redirectHost: redirectUrl === null ? null : new URL(redirectUrl).host,
  servedAt: now.getTime(),
});

const toCalls = ({ linkId, amount }: Link, upstream: Upstream, origin: string): CheckoutView["calls"] => ({
  kind: upstream.kind,
  mcpUrl: upstream.kind === "mcp" ? mcpUrl(origin, linkId) : null,
  paidUrl: paidUrl(origin, linkId),
  openApiUrl: soldApiUrl(origin, linkId),
  methods: upstream.methods,
  paths: soldPaths(upstream, amount).map((sold) => ({
    path: upstream.paths.length === 0 ? null : sold.path,
    amount: sold.amount.toString(),
  })),
  pass: upstream.pass,
});

const toOptions = ({ minAmount, maxAmount, presetAmounts, maxQuantity, fields }: CheckoutLink["link"]) => ({
  range:
    minAmount === null || maxAmount === null
      ? null
      : { min: `${minAmount}`, max: `${maxAmount}`, presets: (presetAmounts ?? []).map(String) },
  maxQuantity,
  fields: fields ?? [],
});

export const toPurchase = (
  { content, file }: { content: string | null; file?: SoldFile },
  settlement: Settlement,
  { redirectUrl, contentUrl, baseUrl }: { redirectUrl: string | null; contentUrl: string; baseUrl: string },
): z.output<typeof purchase> => ({
  success: true,
  status: "success",
  resource: content,
  ...(file && { file }),
  receipt: {
    txHash: settlement.txHash,
    payer: settlement.payer,
    payee: settlement.payee,
    amount: settlement.amount.toString(),
    currency: "USDC",
    network: settlement.network,
  },
  ...(redirectUrl !== null && { redirectUrl }),
  settlementId: settlement.id,
  receiptUrl: receiptUrl(baseUrl, settlement.id),
  contentUrl,
});
