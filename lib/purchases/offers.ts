import { fieldsOf } from "@tessera/x402/json";
import type { Offer as SellerOffer } from "@tessera/x402/offers";
import { z } from "zod";
import type { Usdc } from "@/lib/core/money";
import { paymentRequest } from "@/lib/payments/contract";
import { CREDITS } from "@/lib/x402/credits";
import type { NetworkName } from "@/lib/x402/networks";
import { type ForeignReply, jsonIn, offersIn, requiredV1 } from "@/lib/x402/required";

const WINDOW_SECONDS_DEFAULT = 60;

/** What `payments.sign` signs. */
export type OfferTerms = z.output<typeof paymentRequest>;

/** A way to pay that the seller offers and this wallet supports. */
export type PurchaseOffer = {
  network: NetworkName;
  amount: Usdc;
  terms: OfferTerms;
  /** The parts of the offer that the proof repeats. v1: the network as the seller wrote it. */
  proof:
    | { version: "mpp"; toCredential: NonNullable<SellerOffer["toCredential"]> }
    | { version: 1; network: string }
    | { version: 2; resource: object; accepted: object; extensions: Readonly<Record<string, unknown>> | undefined };
};

export type CreditOffer = { payTo: string; amount: string; description: string };

/**
 * The offers of a 402 in the seller's order: x402 v2 or v1, scheme exact by EIP-3009, in USDC on a network of this service, then
 * challenges of the Machine Payments Protocol, unless x402 offers the same transfer.
 * `url` is the requested URL. A mandate's hosts are compared with it, not with the resource that the seller names.
 */
export function offersOf(reply: ForeignReply, url: URL): PurchaseOffer[] {
  const offers = offersIn(reply).flatMap((offer) => toOffer(offer, url));
  const isRepeated = ({ network, amount, terms, proof }: PurchaseOffer) =>
    proof.version === "mpp" &&
    offers.some(
      (o) => o.proof.version !== "mpp" && o.network === network && o.amount === amount && o.terms.payTo === terms.payTo,
    );
  return offers.filter((offer) => !isRepeated(offer));
}

/** Empty if `payments.sign` would refuse the terms. */
function toOffer(offer: SellerOffer, url: URL): PurchaseOffer[] {
  const { x402Version, network, accepted, resource, extensions, challenge, toCredential, ...price } = offer;
  const validityWindowSeconds = price.validityWindowSeconds ?? WINDOW_SECONDS_DEFAULT;
  const terms = paymentRequest.safeParse({ ...price, network, resource: url.href, validityWindowSeconds, challenge });
  if (!terms.success) return [];
  const proof: PurchaseOffer["proof"] = toCredential
    ? { version: "mpp", toCredential }
    : x402Version === 1
      ? { version: 1, network: String(accepted.network) }
      : {
          version: 2,
          resource: fieldsOf(resource ?? { url: url.href }),
          accepted,
          extensions: extensions ? fieldsOf(extensions) : undefined,
        };
  return [{ network, amount: terms.data.amount, terms: terms.data, proof }];
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
    const parsed = creditOffer.safeParse(entry);
    if (parsed.success) {
      const { payTo, maxAmountRequired: amount, description } = parsed.data;
      return { payTo, amount, description };
    }
  }
  return null;
}
