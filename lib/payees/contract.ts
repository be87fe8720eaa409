import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { anyIdText } from "@/lib/core/id-text";
import type { PayeeId } from "@/lib/core/ids";
import { amount, formatUsdc } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import { mandateId } from "@/lib/mandates/responses";
import { type ApprovalSummary, approvalSummary } from "@/lib/platform/summary";
import * as sample from "@/lib/samples";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { REASONS, WHY } from "./answers";
import { payeeErrors } from "./errors";
import { type Payee, payeeUrl, stateOf } from "./rules";

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
export const payeeId = z
  .custom<PayeeId>((value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value), "must be a payee id (pye_…)")
  .meta(anyIdText);

/** The method of the paid request. The host is asked about the payee with the same method. */
export const resourceMethod = z
  .string({ error: "must be an HTTP method" })
  .regex(/^[A-Z]{1,20}$/, "must be an HTTP method in capital letters")
  .default("GET");

/** The response to a payment whose payee waits for the owner. */
export const payeeRequired = z.object({
  status: z.literal("payee_confirmation_required"),
  code: z.literal("payee_confirmation_required"),
  message: z.string(),
  payeeId,
  approvalUrl: z.string(),
  /** Scheme, host and port. */
  origin: z.string(),
  network: z.enum(NETWORK_NAMES),
  payTo: addressText,
  /** Why the host did not confirm the address. */
  why: z.enum(WHY),
  summary: approvalSummary,
  payment_model_context: z.object({ primer: z.string(), instructions: z.string() }),
});

const PRIMER =
  "This mandate pays only addresses that the host itself asks to be paid at, or that its user confirmed once. You cannot confirm an address yourself.";
const INSTRUCTIONS =
  "Show the user approvalUrl. After they confirm, send the same request again with the same Idempotency-Key. Do not change payTo unless the seller's 402 does.";

export const toPayeeRequired = (
  payee: Payee,
  summary: ApprovalSummary,
  baseUrl: string,
): z.output<typeof payeeRequired> => {
  const reason = payee.why ?? "other_terms";
  return {
    status: "payee_confirmation_required",
    code: "payee_confirmation_required",
    message: `The user must confirm the address ${payee.payee} for ${payee.origin} once, because ${REASONS[reason]}. Ask them to open approvalUrl, then send the same request again`,
    payeeId: payee.id,
    approvalUrl: payeeUrl(payee.id, baseUrl),
    origin: payee.origin,
    network: payee.network,
    payTo: payee.payee,
    why: reason,
    summary,
    payment_model_context: { primer: PRIMER, instructions: INSTRUCTIONS },
  };
};

export const payeeView = z.object({
  payeeId,
  status: z.enum(["waiting", "confirmed", "refused"]),
  origin: z.string(),
  network: z.enum(NETWORK_NAMES),
  payTo: addressText,
  /** The address that was confirmed for this host before; null if there was none. */
  previousPayTo: addressText.nullable(),
  mandateId,
  resource: z.string(),
  method: z.string(),
  amount,
  amountFormatted: z.string(),
  why: z.enum(WHY).nullable(),
  confirmedBy: z.enum(["host", "owner"]).nullable(),
  confirmedAt: isoDate.nullable(),
  /** What the host's 402 offered, and the SHA-256 of its PAYMENT-REQUIRED header (x402 v2), body, or WWW-Authenticate (MPP). */
  evidence: z
    .object({
      answerHash: z.string(),
      askedAt: isoDate,
      accepted: z.object({
        x402Version: z.union([z.literal(1), z.literal(2)]).nullable(),
        scheme: z.string(),
        network: z.string(),
        asset: z.string(),
        payTo: z.string(),
        amount: z.string(),
      }),
    })
    .nullable(),
  createdAt: isoDate,
});

export type PayeeView = z.output<typeof payeeView>;

export const toPayeeView = (p: Payee): PayeeView => ({
  payeeId: p.id,
  status: stateOf(p),
  origin: p.origin,
  network: p.network,
  payTo: p.payee,
  previousPayTo: p.previousPayee,
  mandateId: p.mandateId,
  resource: p.resource,
  method: p.method,
  amount: p.amount,
  amountFormatted: formatUsdc(p.amount),
  why: p.why,
  confirmedBy: p.confirmedBy,
  confirmedAt: p.confirmedAt,
  evidence: p.accepted && p.answerHash && { answerHash: p.answerHash, askedAt: p.askedAt, accepted: p.accepted },
  createdAt: p.createdAt,
});

const decision = {
  method: "POST",
  auth: "owner",
  surface: "wallet",
  params: z.object({ payeeId }),
  response: z.object({ status: z.literal("ok"), payee: payeeView }),
  errors: { payee_not_found: payeeErrors.table.payee_not_found },
} as const;

const payeeExample = {
  payeeId: sample.PAYEE,
  status: "confirmed",
  origin: `https://${sample.HOST}`,
  network: sample.NETWORK,
  payTo: sample.SELLER,
  previousPayTo: null,
  mandateId: sample.MANDATE,
  resource: sample.RESOURCE,
  method: "GET",
  amount: "500000",
  amountFormatted: "0.50",
  why: "no_answer",
  confirmedBy: "owner",
  confirmedAt: sample.CREATED,
  evidence: null,
  createdAt: sample.CREATED,
};

export const confirmPayee = endpoint({
  ...decision,
  path: "/api/payees/{payeeId}/confirm",
  summary:
    "Confirm an address that a host did not confirm itself, for all mandates of the owner, with a signature of the owner's wallet. Idempotent",
  description:
    "After a 202 `payee_confirmation_required`, on the page of its `approvalUrl`. Look at the address: the host itself did not name it. The agent then sends its request again; no payment is signed by this call. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  body: withSignature,
  errors: { ...decision.errors, ...confirmErrors },
  example: { request: {}, responses: { 200: { ...sample.OK, payee: payeeExample } } },
});

export const refusePayee = endpoint({
  ...decision,
  path: "/api/payees/{payeeId}/refuse",
  stores: "nothing",
  summary: "Refuse an address of a host: no mandate that confirms payees pays it. Idempotent",
  description:
    "Payments to it under such mandates are answered 403 `payee_refused` from then on. The owner can confirm the address later, at the same page.",
  example: {
    responses: {
      200: { ...sample.OK, payee: { ...payeeExample, status: "refused", confirmedBy: null, confirmedAt: null } },
    },
  },
});
