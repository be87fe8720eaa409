import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { id } from "@/lib/core/id-text";
import { NETWORK_NAMES } from "@/lib/x402/networks";

/** 202: the outcome of the transfer is not known yet. */
export const pendingPayment = z.object({
  status: z.literal("pending"),
  message: z.string(),
  settlementId: id("settlement"),
  txHash: z.string().nullable(),
});

export type PendingPayment = z.output<typeof pendingPayment>;

/** An entry of `accepts` in x402 v1. */
const requirement = z.object({
  scheme: z.literal("exact"),
  network: z.string(),
  maxAmountRequired: z.string(),
  resource: z.string(),
  description: z.string(),
  mimeType: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.int(),
  asset: z.string(),
  extra: z.object({ name: z.string(), version: z.string(), primaryType: z.string().optional() }),
  /** The resource's input and output. */
  outputSchema: z.object({ input: z.looseObject({}), output: z.looseObject({}).optional() }).optional(),
});

export type AcceptedPayment = z.output<typeof requirement>;

/** Why a proof is refused, in the `code` of a 402. */
const REFUSALS = [
  "PAYMENT_NETWORK_MISMATCH",
  "PAYMENT_ASSET_MISMATCH",
  "PAYMENT_RECIPIENT_MISMATCH",
  "PAYMENT_INSUFFICIENT",
  "PAYMENT_EXPIRED",
  "PAYMENT_VALIDITY_TOO_LONG",
  "AMOUNT_TOO_SMALL",
  "PAYMENT_NOT_YET_VALID",
  "PAYMENT_SIGNATURE_INVALID",
  "PAYMENT_CREDENTIAL_INVALID",
];

/** Why a proof is refused for a resource whose price depends on its URL. */
export const URL_REFUSALS = ["PAYMENT_RESOURCE_MISMATCH"] as const;

/** Why a sign-in does not give access. */
export const SIGN_IN_REFUSALS = ["SIGN_IN_INVALID", "SIGN_IN_EXPIRED", "SIGN_IN_USED", "SIGN_IN_NOT_BOUGHT"] as const;

/** Why a pass does not admit a call. */
export const PASS_REFUSALS = [
  "PASS_INVALID",
  "PASS_USED_UP",
  "PASS_INSUFFICIENT",
  "PASS_HELD",
  "PASS_OVER",
  "PASS_REFUNDED",
  "PASS_NOT_FOR_THIS",
] as const;
export type PassRefusal = (typeof PASS_REFUSALS)[number];

/** Why a payment in service credits is refused. */
export const CREDIT_REFUSALS = ["INSUFFICIENT_CREDITS"] as const;

/** 402 (x402 v1): the price. `code`: why the presented proof or sign-in was refused. */
const paymentRequired = (refusals: readonly string[]) =>
  z.object({
    x402Version: z.literal(1),
    error: z.string(),
    accepts: z.array(requirement),
    /** Of x402 v2: those that are too long for the header. */
    extensions: z.record(z.string(), z.unknown()).optional(),
    code: z
      .string()
      .meta({ enum: [...REFUSALS, ...refusals] })
      .optional(),
  });

export type PaymentRequiredBody = z.output<ReturnType<typeof paymentRequired>>;

/** 500: the transfer was not made. Until `stillValidUntil`, if present, anyone can still submit it. */
const settlementFailed = z.object({
  status: z.literal("error"),
  error: z.string(),
  message: z.string(),
  code: z.literal("SETTLEMENT_FAILED"),
  failureCode: z.string().nullable(),
  /** Absent when the proof was not claimed. */
  settlementId: id("settlement").optional(),
  stillValidUntil: z.string().optional(),
  requestId: z.string(),
});

export type SettlementFailed = z.output<typeof settlementFailed>;

/**
 * The responses of a resource paid by x402. `settledResponse`: the seller's 200. `pendingFields`: its fields of the 202.
 * `refusals`: its codes of the 402, added to those of a proof. The money has moved when these are encoded: use schemas that
 * accept every value of their type.
 */
export const paymentResponses = <S extends z.ZodType, M extends z.ZodRawShape>(
  settledResponse: S,
  pendingFields: M,
  refusals: readonly string[] = [],
) => ({
  200: settledResponse,
  202: pendingPayment.extend(pendingFields),
  402: paymentRequired(refusals),
  500: settlementFailed,
});

/** 200 of a payment that delivers nothing else: the settlement result of the UPL contract, with the receipt's URL. */
export const settlementResult = z.object({
  success: z.literal(true),
  txHash: z.string().nullable(),
  settledAmount: z.string(),
  network: z.enum(NETWORK_NAMES),
  payer: addressText,
  payee: addressText,
  settlementId: id("settlement"),
  receiptUrl: z.string(),
});

export type SettlementResult = z.output<typeof settlementResult>;
