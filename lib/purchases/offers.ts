import { z } from "zod";
import { JsonError, parseForeignJson } from "@/lib/core/json";
import type { Usdc } from "@/lib/core/money";
import { legible, paymentRequest } from "@/lib/payments/contract";
import { CREDITS } from "@/lib/x402/credits";
import { decodeHeader } from "@/lib/x402/header";
import { NETWORKS, type NetworkName, networkNamed } from "@/lib/x402/networks";
import { requirementV2 } from "@/lib/x402/schema";

const OFFERS_MAX = 64;
const WINDOW_SECONDS_DEFAULT = 60;

/** One entry of `accepts` of x402 v1, as sellers send it. */
const requirementV1 = requirementV2.omit({ amount: true }).extend({
  maxAmountRequired: z.string(),
  description: z.string().nullish(),
});

const requiredV2 = z.object({
  x402Version: z.literal(2),
  resource: z.looseObject({ description: z.string().nullish() }).nullish(),
  accepts: z.array(z.unknown()),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});
const requiredV1 = z.object({ x402Version: z.literal(1), accepts: z.array(z.unknown()) });

/** What `payments.sign` signs. */
export type Terms = z.output<typeof paymentRequest>;

/** A way to pay that the seller offers and this wallet supports. */
export type Offer = {
  network: NetworkName;
  amount: Usdc;
  terms: Terms;
  /** What the proof repeats. v1: the network as the seller wrote it. */
  proof:
    | { version: 1; network: string }
    | { version: 2; resource: object; accepted: unknown; extensions: Record<string, unknown> | null };
};

export type CreditOffer = { payTo: string; amount: string; description: string };

/** The JSON of a response body; undefined if it is not JSON. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return parseForeignJson(bytes.toString("utf8"));
  } catch (thrown) {
    if (JsonError.is(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * The offers of a 402 in the seller's order: x402 v2 (header or body) or v1 (body), scheme exact by EIP-3009, in USDC on a
 * network of this service. `url` is the URL that was requested: the mandate's hosts are compared with it, not with what the
 * seller calls its resource.
 */
export function offersOf(answer: { headers: Readonly<Record<string, string>>; bytes: Buffer }, url: URL): Offer[] {
  const header = requiredV2.safeParse(decodeHeader(answer.headers["payment-required"] ?? ""));
  const body = jsonIn(answer.bytes);
  const v2 = header.success ? header : requiredV2.safeParse(body);
  if (v2.success) {
    const { accepts, resource, extensions } = v2.data;
    return accepts.slice(0, OFFERS_MAX).flatMap((accepted) => {
      const read = requirementV2.safeParse(accepted);
      const wire = { resource: resource ?? { url: url.href }, accepted, extensions: extensions ?? null };
      return read.success ? offerOf(read.data, resource?.description, url, { version: 2, ...wire }) : [];
    });
  }
  const v1 = requiredV1.safeParse(body);
  if (!v1.success) return [];
  return v1.data.accepts.slice(0, OFFERS_MAX).flatMap((accepted) => {
    const read = requirementV1.safeParse(accepted);
    if (!read.success) return [];
    const { maxAmountRequired: amount, description, ...rest } = read.data;
    return offerOf({ ...rest, amount }, description, url, { version: 1, network: rest.network });
  });
}

function offerOf(
  said: z.output<typeof requirementV2>,
  description: string | null | undefined,
  url: URL,
  proof: Offer["proof"],
): Offer[] {
  const network = networkNamed(said.network);
  if (said.scheme !== "exact" || (said.extra?.assetTransferMethod ?? "eip3009") !== "eip3009" || !network) return [];
  const { usdc, tokenName, tokenVersion } = NETWORKS[network.name];
  if (said.asset.toLowerCase() !== usdc.toLowerCase()) return [];
  if ((said.extra?.name ?? tokenName) !== tokenName || (said.extra?.version ?? tokenVersion) !== tokenVersion)
    return [];
  const terms = paymentRequest.safeParse({
    network: network.name,
    amount: said.amount,
    assetAddress: said.asset,
    payTo: said.payTo,
    resource: url.href,
    description: legible(description ?? ""),
    validityWindowSeconds: said.maxTimeoutSeconds ?? WINDOW_SECONDS_DEFAULT,
  });
  return terms.success ? [{ network: network.name, amount: terms.data.amount, terms: terms.data, proof }] : [];
}

const creditOffer = z.object({
  scheme: z.literal("exact"),
  network: z.literal(CREDITS.network),
  maxAmountRequired: z.string().regex(/^[1-9]\d{0,14}$/),
  payTo: z.string(),
  description: z.string().default(""),
});

/** The offer in service credits in one of this service's own 402s; null if there is none. */
export function creditOfferOf(bytes: Buffer): CreditOffer | null {
  const body = requiredV1.safeParse(jsonIn(bytes));
  for (const entry of body.success ? body.data.accepts : []) {
    const read = creditOffer.safeParse(entry);
    if (read.success) {
      const { payTo, maxAmountRequired: amount, description } = read.data;
      return { payTo, amount, description };
    }
  }
  return null;
}
