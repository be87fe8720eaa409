import { findRefusal, OFFER_REFUSALS, type OfferRefusal } from "@tessera/x402/offers";
import type { Hex } from "viem";
import type { z } from "zod";
import type { Address } from "@/lib/core/address";
import { hostOfResource, normalizeHost } from "@/lib/core/host";
import type { PaymentId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import type { Reservation } from "@/lib/mandates/reservations/rules";
import type { Authorization } from "@/lib/x402/authorization";
import { CREDITS, type CreditRequirement, type Credits, worthOf } from "@/lib/x402/credits";
import { DEFAULT_NETWORK, NETWORKS, type NetworkName, networkNamed } from "@/lib/x402/networks";
import { requirementV2 } from "@/lib/x402/schema";
import type { PaymentStatus } from "./tables";

/** A payment as an agent requests it; network, scheme, currency and asset are not checked yet. */
export type PaymentRequest = {
  scheme: string;
  network: string;
  currency: string;
  amount: Usdc;
  assetAddress?: string | undefined;
  payTo: Address;
  host?: string | undefined;
  resource: string;
  description: string;
  tokenName?: string | undefined;
  tokenVersion?: string | undefined;
  validityWindowSeconds: number;
  challenge?: PaymentChallenge | undefined;
};

/** What a signature takes from a challenge of the Machine Payments Protocol. */
export type PaymentChallenge = { id: string; realm: string; expires?: Date | undefined };

/** A checked payment request. */
export type PaymentOrder = {
  network: NetworkName;
  amount: Usdc;
  payTo: Address;
  host: string;
  defaultPort: string;
  resource: string;
  description: string;
  windowSeconds: number;
  challenge?: PaymentChallenge | undefined;
};

export type RequestRefusal =
  | "unsupported_scheme"
  | "unsupported_network"
  | "unsupported_asset"
  | "currency_mismatch"
  | "token_mismatch"
  | "invalid_resource"
  | "host_mismatch"
  | "unknown_service";

const RESOURCE_CHARACTERS_MAX = 4096;
export const WINDOW_SECONDS_DEFAULT = 60;
const WINDOW_SECONDS_MAX = 3600;
/** validAfter lies this far in the past, because the chain's clock can be behind the server's. */
const BACKDATED_SECONDS = 600;

/** The order of a request, or why it is refused. Network, asset and token names must be ones that the service knows. */
export function parseOrder(request: PaymentRequest): PaymentOrder | RequestRefusal {
  const target = targetOf(request);
  if (request.scheme !== "exact") return "unsupported_scheme";
  const network = networkNamed(request.network);
  if (!network) return "unsupported_network";
  if (request.currency !== "USDC") return "currency_mismatch";
  const { assetAddress: asset = network.usdc, tokenName: name, tokenVersion: version } = request;
  const refusal = findRefusal({ ...request, asset, extra: { name, version } }, network);
  if (refusal !== null) return refusal;
  if (typeof target === "string") return target;
  return {
    network: network.name,
    amount: request.amount,
    payTo: request.payTo,
    ...target,
    challenge: request.challenge,
  };
}

/** The resource, its host and the validity of a payment, in USDC or service credits. */
function targetOf(
  request: Omit<PaymentRequest, "payTo" | "amount">,
): Omit<PaymentOrder, "network" | "amount" | "payTo"> | RequestRefusal {
  const { resource } = request;
  // URL parsers drop tabs and line ends and read a backslash as a slash. Other clients do not and would call another host.
  const isPlain = resource.length <= RESOURCE_CHARACTERS_MAX && !/[\p{Cc}\p{Cs}\\]|^\s|\s$/u.test(resource);
  const host = isPlain && hostOfResource(resource);
  if (!host) return "invalid_resource";
  const defaultPort = /^https:/i.test(resource) ? "443" : "80";
  const requestedHost = request.host === undefined ? host : normalizeHost(request.host);
  if (requestedHost !== host && requestedHost !== `${host}:${defaultPort}`) return "host_mismatch";
  return {
    host,
    defaultPort,
    resource,
    description: request.description,
    windowSeconds: Math.min(request.validityWindowSeconds || WINDOW_SECONDS_DEFAULT, WINDOW_SECONDS_MAX),
  };
}

/** A payment in service credits as an agent requests it. */
export type CreditPaymentRequest = Omit<PaymentRequest, "payTo" | "amount"> & { payTo: string; amount: Credits };

/** The mandate is charged the value in USDC on Base, with the treasury as payee. `service` is the payee of the credits. */
export type CreditOrder = PaymentOrder & { credits: Credits; service: string };

/** The order of a request in service credits, which can only pay the service named `service`; or why it is refused. */
export function parseCreditOrder(
  request: CreditPaymentRequest,
  { service, treasury }: { service: string; treasury: Address },
): CreditOrder | RequestRefusal {
  const target = targetOf(request);
  if (request.scheme !== "exact") return "unsupported_scheme";
  if (request.currency !== "USDC" && request.currency !== CREDITS.currency) return "currency_mismatch";
  if ((request.assetAddress ?? CREDITS.asset) !== CREDITS.asset) return "unsupported_asset";
  if ((request.tokenName ?? CREDITS.name) !== CREDITS.name) return "token_mismatch";
  if ((request.tokenVersion ?? CREDITS.version) !== CREDITS.version) return "token_mismatch";
  if (request.payTo !== service) return "unknown_service";
  if (typeof target === "string") return target;
  const { payTo, amount: credits } = request;
  return { network: DEFAULT_NETWORK, amount: worthOf(credits), payTo: treasury, ...target, credits, service: payTo };
}

type Scanned =
  | ("scheme" | "network" | "amount" | "resource" | "description")
  | ("payTo" | "validityWindowSeconds" | "assetAddress");

/**
 * A request as an x402 v1 body for the firewall's scan, with the agent's values. The service's own URL is replaced by an https
 * one: a local service has no TLS, and the scan would report that.
 */
export const asRequirement = (request: Pick<PaymentRequest | CreditPaymentRequest, Scanned>, baseUrl: string) => ({
  x402Version: 1,
  accepts: [
    {
      scheme: request.scheme,
      network: request.network,
      maxAmountRequired: request.amount.toString(),
      resource: request.resource.startsWith(`${baseUrl}/`)
        ? `https://own.example${request.resource.slice(baseUrl.length)}`
        : request.resource,
      description: request.description,
      mimeType: "application/json",
      payTo: request.payTo,
      maxTimeoutSeconds: request.validityWindowSeconds || WINDOW_SECONDS_DEFAULT,
      asset: request.assetAddress ?? networkNamed(request.network)?.usdc ?? CREDITS.asset,
    },
  ],
});

/** The authorization that `from` signs for an order. */
export function authorizationOf(
  { order, nonce, signedAt }: { order: PaymentOrder; nonce: Hex; signedAt: Date },
  from: Address,
): Authorization {
  const signedSeconds = unixSeconds(signedAt);
  const windowEnd = signedSeconds + order.windowSeconds;
  const { expires } = order.challenge ?? {};
  return {
    from,
    to: order.payTo,
    value: order.amount,
    validAfter: BigInt(signedSeconds - BACKDATED_SECONDS),
    validBefore: BigInt(expires ? Math.min(windowEnd, unixSeconds(expires)) : windowEnd),
    nonce,
  };
}

/** The offers of an x402 v2 `accepts` that can be paid on `network`, in the seller's order; or why there is none. */
export function payableOffers(
  accepts: unknown[],
  network: NetworkName,
): [IndexedOffer, ...IndexedOffer[]] | OfferRefusal {
  const payable: IndexedOffer[] = [];
  let closest = 0;
  for (const [index, entry] of accepts.entries()) {
    const offer = requirementV2.safeParse(entry).data;
    const refusal = offer ? findRefusal(offer, NETWORKS[network]) : "unsupported_scheme";
    if (offer && refusal === null) payable.push({ index, offer });
    else if (refusal !== null) closest = Math.max(closest, OFFER_REFUSALS.indexOf(refusal));
  }
  const [first, ...otherOffers] = payable;
  return first ? [first, ...otherOffers] : (OFFER_REFUSALS[closest] ?? "unsupported_scheme");
}

export type IndexedOffer = { index: number; offer: z.output<typeof requirementV2> };

/** A payment's status, from its reservation. */
export function statusOf({
  state,
  isSubmitted,
  txHash,
}: Pick<Reservation, "state" | "isSubmitted" | "txHash">): PaymentStatus {
  switch (state) {
    case "open":
      return isSubmitted ? "submitted" : "signed";
    case "committed":
      return "settled";
    case "released":
      return txHash === null ? "expired" : "cancelled";
    default:
      return state satisfies never;
  }
}

export type CreditMismatch = "PAYMENT_RECIPIENT_MISMATCH" | "PAYMENT_INSUFFICIENT" | "PAYMENT_EXPIRED";

/** Why the signed claims do not pay `requirement` at `now`; null if they do. */
export function creditMismatch(
  signed: { aud: string; resource: string; amount: string; exp: number },
  requirement: CreditRequirement,
  now: Date,
): CreditMismatch | null {
  if (signed.aud !== requirement.payTo || signed.resource !== requirement.resource) return "PAYMENT_RECIPIENT_MISMATCH";
  if (signed.amount !== requirement.amount.toString()) return "PAYMENT_INSUFFICIENT";
  return signed.exp <= unixSeconds(now) ? "PAYMENT_EXPIRED" : null;
}

/** A payment with the authorization that its payee can submit. */
export type SignedPayment = {
  type: "signed";
  paymentId: PaymentId;
  network: NetworkName;
  authorization: Authorization;
  signature: Hex;
};

/** A payment in service credits. `expiresAt`: Unix seconds. */
export type SignedCredits = { paymentId: PaymentId; jws: string; expiresAt: number };
