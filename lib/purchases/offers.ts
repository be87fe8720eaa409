import { z } from "zod";
import type { Usdc } from "@/lib/core/money";
import { paymentRequest } from "@/lib/payments/contract";
import { CREDITS } from "@/lib/x402/credits";
import type { NetworkName } from "@/lib/x402/networks";
import { type Entry, jsonIn, payableNetwork, type Required, requiredIn, requiredV1 } from "@/lib/x402/required";

const WINDOW_SECONDS_DEFAULT = 60;

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

/**
 * The offers of a 402 in the seller's order: x402 v2 or v1, scheme exact by EIP-3009, in USDC on a network of this service.
 * `url` is the URL that was requested: the mandate's hosts are compared with it, not with what the seller calls its resource.
 */
export function offersOf(answer: { headers: Readonly<Record<string, string>>; bytes: Buffer }, url: URL): Offer[] {
  const required = requiredIn(answer);
  return required?.entries.flatMap((entry) => offerOf(entry, url, proofOf(required, entry, url))) ?? [];
}

const proofOf = (required: Required, { raw, requirement }: Entry, url: URL): Offer["proof"] =>
  required.version === 1
    ? { version: 1, network: requirement.network }
    : {
        version: 2,
        resource: required.resource ?? { url: url.href },
        accepted: raw,
        extensions: required.extensions,
      };

function offerOf({ requirement: said, description }: Entry, url: URL, proof: Offer["proof"]): Offer[] {
  const network = payableNetwork(said);
  if (!network) return [];
  const terms = paymentRequest.safeParse({
    network: network.name,
    amount: said.amount,
    assetAddress: said.asset,
    payTo: said.payTo,
    resource: url.href,
    description: description ?? "",
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
