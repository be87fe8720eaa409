import { z } from "zod";
import { id } from "@/lib/core/id-text";
import type { MandateId } from "@/lib/core/ids";
import { signCredits } from "@/lib/payments/credits";
import { toProofV1, toProofV2 } from "@/lib/payments/responses";
import type { SignedPayment } from "@/lib/payments/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import { toCreditProof } from "@/lib/x402/credit-proof";
import { CREDITS, toCredits } from "@/lib/x402/credits";
import { encodeHeader } from "@/lib/x402/header";
import type { CreditOffer, Offer } from "./offers";

/** A signed proof. Every call presents it unchanged. */
export const storedProof = z.object({
  paymentId: id("payment"),
  url: z.string(),
  header: z.enum(["x-payment", "payment-signature"]),
  value: z.string(),
});

export type StoredProof = z.output<typeof storedProof>;

/** Repeats the offer as the seller wrote it, because sellers compare the two. x402 v2 section 5.2.2: `extensions` too. */
export function createProof(signed: SignedPayment, { proof }: Offer, url: URL): StoredProof {
  const target = { paymentId: signed.paymentId, url: url.href };
  if (proof.version === 1) {
    const value = encodeHeader(toProofV1(signed, proof.network));
    return { ...target, header: "x-payment", value };
  }
  const value = encodeHeader(toProofV2(signed, proof));
  return { ...target, header: "payment-signature", value };
}

/** Throws the errors of `signCredits`, including those of the mandate. */
export async function signCreditOffer(
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  { payTo, amount, description }: CreditOffer,
  url: URL,
): Promise<StoredProof> {
  const signed = await signCredits(ctx, mandateId, {
    scheme: "exact",
    network: CREDITS.network,
    currency: CREDITS.currency,
    assetAddress: CREDITS.asset,
    amount: toCredits(BigInt(amount)),
    payTo,
    resource: url.href,
    description,
    validityWindowSeconds: 0,
  });
  const value = encodeHeader(toCreditProof(signed.jws));
  return { paymentId: signed.paymentId, url: url.href, header: "x-payment", value };
}
