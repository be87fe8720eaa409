import { z } from "zod";

// The members of responses that clients of the live service read.

export const text = z.string().min(1);
const digits = z.string().regex(/^\d+$/);
const nullableText = text.nullable();
const moment = z.iso.datetime();

/** The client's error message for a refusal, for any HTTP status. */
export const refused = z.object({
  status: z.string().refine((status) => status !== "ok"),
  code: text,
  message: text,
  authorizationUrl: text.optional(),
});
export const proof = z.object({
  status: z.literal("ok"),
  xPaymentB64: text,
  paymentRecordId: text,
  expiresAt: z.number().int(),
});
export const proofV2 = proof.omit({ xPaymentB64: true }).extend({ paymentPayloadB64: text });
export const intent = z.object({
  status: z.literal("ok"),
  mandateId: text,
  authorizationUrl: z.url(),
  expiresAt: moment,
  agentStatus: z.enum(["ready", "needs_wallet_authorization"]),
});
export const mandate = z.object({
  status: z.literal("ok"),
  mandate: z.object({
    mandateId: text,
    status: text,
    currency: text,
    limitAmount: digits,
    spentAmount: digits,
    pendingSpentAmount: digits,
    remainingAmount: digits,
    validFrom: moment,
    validUntil: moment,
  }),
});
export const approval = z.object({
  status: z.literal("approval_required"),
  code: z.literal("approval_required"),
  message: text,
  approvalId: text,
  approvalUrl: z.url(),
});
export const link = z.object({
  id: z.number().int(),
  linkId: text,
  amount: digits,
  currency: text,
  network: text,
  payTo: text,
  assetAddress: text,
  scheme: text,
  description: z.string(),
  resourceContent: z.string().nullable(),
  status: z.enum(["active", "disabled"]),
  expiresAt: moment.nullable(),
  maxUses: z.number().int().nullable(),
  useCount: z.number().int(),
  url: z.url(),
  createdAt: moment,
  updatedAt: moment,
});
export const oneLink = z.object({ success: z.literal(true), paymentLink: link });
export const linkPayment = z.object({
  id: z.number().int(),
  payerAddress: text,
  amount: digits,
  currency: text,
  settlementStatus: text,
  settlementTxHash: nullableText,
  createdAt: moment,
});
export const received = linkPayment.extend({
  sourceType: text,
  description: z.string().nullable(),
  paymentLinkId: nullableText,
  payerEmail: z.null(),
});
export const refund = z.object({
  refundId: text,
  refundUrl: z.url(),
  paymentId: z.number().int(),
  linkId: text,
  sourceType: text,
  amount: digits,
  currency: text,
  network: text,
  refundFrom: text,
  refundTo: text,
  status: z.enum(["pending", "settled", "failed", "expired", "cancelled"]),
  refundTxHash: nullableText,
  refundType: z.enum(["full", "partial"]),
  reason: nullableText,
  originalAmount: digits,
  originalTxHash: nullableText,
  agentName: text,
  expiresAt: moment,
  createdAt: moment,
});
export const payout = z.object({
  payoutId: text,
  status: text,
  txHash: nullableText,
  approvalUrl: z.url().nullable(),
  expiresAt: z.number().int().nullable(),
  mandateId: nullableText,
  bizId: nullableText,
});
const amounts = z.object({ available: digits, availableFormatted: text });
export const self = z.object({
  status: z.literal("ok"),
  agent: z.object({ externalAgentId: text, name: text, isAuthorized: z.boolean(), walletAddress: nullableText }),
  balances: z.object({ usdc: amounts, credits: amounts }),
  mandates: z.object({
    open: z.number(),
    total: z.number(),
    items: z.array(mandate.shape.mandate),
    itemsTruncated: z.boolean(),
  }),
  recentTransactions: z.object({
    items: z.array(z.object({ amount: digits, amountFormatted: text, status: text, txHash: nullableText })),
    limit: z.number(),
    hasMore: z.boolean(),
  }),
});
