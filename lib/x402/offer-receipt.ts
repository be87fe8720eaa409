import type { Address } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import { NETWORKS, type NetworkName } from "./networks";
import type { Requirement } from "./requirement";

/**
 * The x402 extension `offer-receipt`: signed offers in a 402, and a signed receipt in the response to a settled payment, both
 * as compact JWS. Source: specs/extensions/extension-offer-and-receipt.md of the protocol's repository.
 */
export const OFFER_RECEIPT = "offer-receipt";

const VERSION = 1;
/** An offer is valid until the end of the next window, so that all requests in one window can get the same offer. */
const WINDOW_SECONDS = 300;

/**
 * The payload of an offer signed at `now`, which expires five to ten minutes later. Members in alphabetical order: JSON.stringify
 * then writes the canonical form of RFC 8785.
 */
export const offerPayload = ({ network, amount, payTo, resource }: Requirement, now: Date) => ({
  amount: amount.toString(),
  asset: NETWORKS[network].usdc,
  network: NETWORKS[network].caip2,
  payTo,
  resourceUrl: resource,
  scheme: "exact" as const,
  validUntil: (Math.floor(unixSeconds(now) / WINDOW_SECONDS) + 2) * WINDOW_SECONDS,
  version: VERSION,
});

/** The payload of a signed receipt, also in alphabetical order. Omits the optional transaction, which would reveal the amount. */
export const receiptPayload = (payment: {
  network: NetworkName;
  payer: Address;
  resource: string;
  settledAt: Date;
}) => ({
  issuedAt: unixSeconds(payment.settledAt),
  network: NETWORKS[payment.network].caip2,
  payer: payment.payer,
  resourceUrl: payment.resource,
  version: VERSION,
});

const schemaOf = (member: string, schema: object) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { [member]: schema },
  required: [member],
});

const artifact = (extraProperties: object = {}) => ({
  type: "object",
  properties: { format: { type: "string", const: "jws" }, ...extraProperties, signature: { type: "string" } },
  required: ["format", "signature"],
});

const OFFERS_SCHEMA = schemaOf("offers", { type: "array", items: artifact({ acceptIndex: { type: "integer" } }) });
const RECEIPT_SCHEMA = schemaOf("receipt", artifact());

/** The extension of a 402 with one entry in `accepts`. */
export const signedOffer = (jws: string) => ({
  [OFFER_RECEIPT]: {
    info: { offers: [{ format: "jws" as const, acceptIndex: 0, signature: jws }] },
    schema: OFFERS_SCHEMA,
  },
});

/** The extension of the response to a settled payment. */
export const signedReceipt = (jws: string) => ({
  [OFFER_RECEIPT]: {
    info: { receipt: { format: "jws" as const, signature: jws } },
    schema: RECEIPT_SCHEMA,
  },
});
