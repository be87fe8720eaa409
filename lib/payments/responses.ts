import { addPaymentId } from "@tessera/x402/offers";
import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { anyIdText } from "@/lib/core/id-text";
import type { PaymentId } from "@/lib/core/ids";
import { amount, formatUsdc, toUsdc } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import { mandateId } from "@/lib/mandates/responses";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { toCreditProof } from "@/lib/x402/credit-proof";
import { CREDITS, creditsWorth, formatCredits } from "@/lib/x402/credits";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import type { SignedCredits, SignedPayment } from "./rules";
import type { Payment } from "./store";

export const payload = z.object({
  signature: z.string(),
  authorization: z.object({
    from: addressText,
    to: addressText,
    value: z.string(),
    validAfter: z.string(),
    validBefore: z.string(),
    nonce: z.string(),
  }),
});
/**
 * The content of `X-Payment`, before base64. `network` is the name in the requirement: some servers write the CAIP-2 id into
 * x402 v1, and compare the proof's name with their own.
 */
export const toProofV1 = ({ authorization, signature }: SignedPayment, network: string) => ({
  x402Version: 1 as const,
  scheme: "exact" as const,
  network,
  payload: { signature, authorization: toWireAuthorization(authorization) },
});

/** The parts of an x402 v2 requirement that a payment repeats unchanged (x402 v2, PaymentPayload). */
export type Repeated = { resource: object; accepted: unknown; extensions?: Record<string, unknown> | null | undefined };

/** The content of `PAYMENT-SIGNATURE`, before base64. */
export const toProofV2 = (
  { paymentId, authorization, signature }: SignedPayment,
  { resource, accepted, extensions }: Repeated,
) => ({
  x402Version: 2 as const,
  resource,
  accepted,
  payload: { signature, authorization: toWireAuthorization(authorization) },
  // A seller that requires a payment id refuses a payment without one.
  ...(extensions && { extensions: addPaymentId(extensions, paymentId) }),
});

export function toSignedV1Response(signed: SignedPayment, network: string) {
  const xPayment = toProofV1(signed, network);
  return { status: "ok" as const, xPaymentB64: encodeHeader(xPayment), xPayment, ...receiptOf(signed) };
}

export function toSignedV2Response(signed: SignedPayment, repeated: Repeated) {
  const paymentPayload = toProofV2(signed, repeated);
  return {
    status: "ok" as const,
    paymentPayloadB64: encodeHeader(paymentPayload),
    paymentPayload,
    ...receiptOf(signed),
  };
}

export function toSignedCreditsResponse({ paymentId, jws, expiresAt }: SignedCredits) {
  const xPayment = toCreditProof(jws);
  return {
    status: "ok" as const,
    xPaymentB64: encodeHeader(xPayment),
    xPayment,
    paymentRecordId: paymentId,
    expiresAt,
  };
}
const receiptOf = ({ paymentId, authorization }: SignedPayment) => ({
  paymentRecordId: paymentId,
  expiresAt: Number(authorization.validBefore),
});
/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
export const paymentId = z
  .custom<PaymentId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be a payment id (pay_…)",
  )
  .meta(anyIdText);

export const paymentView = z.object({
  paymentRecordId: paymentId,
  mandateId: mandateId.nullable(),
  status: z.enum(["signed", "submitted", "settled", "expired", "cancelled"]),
  amount,
  amountFormatted: z.string(),
  currency: z.enum(["USDC", CREDITS.currency]),
  network: z.enum([...NETWORK_NAMES, CREDITS.network]),
  assetAddress: z.string(),
  from: addressText,
  payTo: z.string(),
  host: z.string(),
  resource: z.string(),
  description: z.string(),
  nonce: z.string(),
  /** When the proof expires, in Unix seconds. */
  validBefore: z.number(),
  txHash: z.string().nullable(),
  createdAt: isoDate,
  settledAt: isoDate.nullable(),
});

export type PaymentView = z.output<typeof paymentView>;
/** For a payment in service credits: amount, asset and payee of the requirement. The mandate is charged the value in USDC. */
const toMeansView = (p: Payment) => {
  const credits = p.creditPayee === null ? null : creditsWorth(p.amount);
  if (p.creditPayee === null || credits === null) {
    const { network, asset: assetAddress, payee: payTo, amount } = p;
    return { amount, amountFormatted: formatUsdc(amount), currency: "USDC" as const, network, assetAddress, payTo };
  }
  return {
    // Hundredths of a credit.
    amount: toUsdc(credits),
    amountFormatted: formatCredits(credits),
    currency: CREDITS.currency,
    network: CREDITS.network,
    assetAddress: CREDITS.asset,
    payTo: p.creditPayee,
  };
};

export const toPaymentView = (p: Payment): PaymentView => ({
  paymentRecordId: p.id,
  mandateId: p.mandateId,
  status: p.status,
  ...toMeansView(p),
  from: p.payer,
  host: p.host,
  resource: p.resource,
  description: p.description,
  nonce: p.nonce,
  validBefore: Number(p.validBefore),
  txHash: p.txHash,
  createdAt: p.createdAt,
  settledAt: p.settledAt,
});
