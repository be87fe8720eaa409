import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { AppError } from "@/lib/core/errors";
import { anyIdText, id } from "@/lib/core/id-text";
import type { RefundId } from "@/lib/core/ids";
import { amount, formatUsdc, positiveAmount, type Usdc } from "@/lib/core/money";
import { shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors, toRefusal } from "@/lib/http/errors";
import { countedPage } from "@/lib/links/received/contract";
import * as sample from "@/lib/samples";
import { screeningErrors } from "@/lib/screening/errors";
import { failureOf, publicStatus, receiptUrl, stillValidUntil, visibleTxHash } from "@/lib/settlements/contract";
import { transferErrors } from "@/lib/settlements/errors";
import type { Settlement } from "@/lib/settlements/service";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { refundErrors } from "./errors";
import { REASON_MAX } from "./limits";
import { refundStatus, refundType } from "./rules";
import type { RefundOutcome, RefundView } from "./service";

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
export const refundId = z
  .custom<RefundId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be a refund's id (rfd_…)",
  )
  .meta(anyIdText);

const requestBody = z.object(
  {
    paymentId: z.int("must be the id of a received payment, a whole number").min(1, "must be at least 1"),
    amount: positiveAmount.describe("Atomic USDC; left out: the whole payment").optional(),
    reason: shownText({ max: REASON_MAX, hasLines: true, error: "must be a text" }).optional(),
  },
  "must be an object",
);

export const refundView = z.object({
  refundId: id("refund"),
  refundUrl: z.string(),
  paymentId: z.int(),
  linkId: id("link").nullable(),
  sourceType: z.enum(["payment_link", "upl"]),
  amount,
  amountFormatted: z.string(),
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  refundFrom: addressText,
  refundTo: addressText,
  status: z.enum(["pending", "settled", "failed", "expired", "cancelled"]),
  refundTxHash: z.string().nullable(),
  refundType: z.enum(["full", "partial"]),
  reason: z.string().nullable(),
  originalAmount: amount,
  originalTxHash: z.string().nullable(),
  agentName: z.string(),
  requestedBy: z.enum(["agent", "owner"]),
  /** The owner approved it. While `status` is then pending, its transfer is under way or can still be made. */
  isApproved: z.boolean(),
  cancelledBy: z.enum(["agent", "owner"]).nullable(),
  /** Why its transfer failed, or why the service stopped submitting it; otherwise null. */
  failureCode: z.string().nullable(),
  /**
   * Until when a transfer that the service stopped submitting can still be made. Its amount stays reserved until the chain shows the
   * outcome.
   */
  stillValidUntil: isoDate.nullable(),
  settlementId: id("settlement").nullable(),
  receiptUrl: z.string().nullable(),
  expiresAt: isoDate,
  createdAt: isoDate,
});

export type RefundItem = z.output<typeof refundView>;

const params = z.object({ refundId });
const { table } = refundErrors;
const { PAYMENT_NOT_FOUND, PAYMENT_NOT_SETTLED, REFUND_EXCEEDS_PAYMENT, REFUND_BELOW_UNUSED, REFUND_NOT_FOUND } = table;
const { REFUND_APPROVED, REFUND_SETTLED, REFUND_FAILED, REFUND_EXPIRED } = table;
const requestErrors = {
  PAYMENT_NOT_FOUND,
  PAYMENT_NOT_SETTLED,
  REFUND_EXCEEDS_PAYMENT,
  REFUND_BELOW_UNUSED,
  rate_limited: edgeErrors.table.rate_limited,
};
/** Cannot occur: the payment was found when the refund was requested. */
const { PAYMENT_NOT_FOUND: _, ...approveErrors } = table;
const cancelErrors = { REFUND_NOT_FOUND, REFUND_APPROVED, REFUND_SETTLED, REFUND_FAILED, REFUND_EXPIRED };

const requestExample = { paymentId: 17, amount: "500000", reason: "Not delivered" };

const approvedExample = {
  ...sample.refund,
  isApproved: true,
  settlementId: sample.SETTLEMENT,
  receiptUrl: sample.receiptUrl,
};

const cancelledExample = { ...sample.refund, status: "cancelled" };

export const initiateRefund = endpoint({
  method: "POST",
  path: "/api/payment-links/refunds/initiate",
  summary: "Request a full or partial refund of a payment; the owner approves it at refundUrl within 24 hours",
  description:
    "The refund goes to the original payer, once the owner has approved it at `refundUrl`. All refunds of a payment together never exceed it. Without `amount`, the rest of the payment is refunded. A refund ends the pass that the payment bought: it cannot give back calls that were answered, and must give back what is unused.",
  auth: "agent",
  surface: "resource",
  body: requestBody,
  response: { 201: refundView },
  errors: requestErrors,
  example: { request: requestExample, responses: { 201: sample.refund } },
});

export const listRefunds = endpoint({
  method: "GET",
  path: "/api/payment-links/refunds",
  summary: "The agent's refunds, newest first",
  description:
    "Also those that the owner created. Send `nextCursor` as `cursor` for the next page; the deprecated `offset` is for old clients.",
  work: 40,
  auth: "agent",
  surface: "resource",
  query: countedPage,
  response: z.object({ success: z.literal(true), refunds: z.array(refundView), nextCursor: z.string().nullable() }),
  errors: {},
  example: { responses: { 200: { ...sample.SUCCESS, refunds: [sample.refund], ...sample.LAST_PAGE } } },
});

export const getRefund = endpoint({
  method: "GET",
  path: "/api/payment-links/refunds/{refundId}",
  summary: "One of the agent's refunds",
  description:
    "`status` stays `pending` while it waits for the owner and while its transfer is under way: `isApproved` says which. `settled` means that the payer has the money.",
  auth: "agent",
  surface: "resource",
  params,
  response: refundView,
  errors: { REFUND_NOT_FOUND },
  example: { responses: { 200: sample.refund } },
});

export const cancelRefund = endpoint({
  method: "POST",
  path: "/api/payment-links/refunds/{refundId}/cancel",
  summary: "Cancel a refund that is not approved yet",
  description:
    "It frees the amount for another refund. After the owner's approval it is too late: 409 `REFUND_APPROVED`.",
  work: 14,
  auth: "agent",
  stores: "nothing",
  surface: "resource",
  params,
  response: refundView,
  errors: cancelErrors,
  example: { responses: { 200: { ...cancelledExample, cancelledBy: "agent" } } },
});

const refundResponse = z.object({ status: z.literal("ok"), refund: refundView });

export const createRefund = endpoint({
  method: "POST",
  path: "/api/refunds",
  summary: "Create a refund of a payment to one of the owner's agents; no money moves before it is approved",
  description:
    "The owner's own way to prepare a refund, without the agent. Approve it next with `POST /api/refunds/{refundId}/approve`.",
  auth: "owner",
  surface: "wallet",
  body: requestBody,
  response: { 201: refundResponse },
  errors: requestErrors,
  example: {
    request: requestExample,
    responses: { 201: { ...sample.OK, refund: { ...sample.refund, requestedBy: "owner" } } },
  },
});

export const approveRefund = endpoint({
  method: "POST",
  path: "/api/refunds/{refundId}/approve",
  summary:
    "Approve a refund and pay it from the owner's spending wallet. A second request is rejected; refund.status has the result",
  description:
    "The transfer goes to the address that paid, and nowhere else. It counts as approved before it is sent, so that two requests never pay twice. Nothing moves while the payment's block may still be replaced (409 `PAYMENT_NOT_FINAL`).",
  work: 14,
  auth: "owner",
  surface: "wallet",
  params,
  response: refundResponse,
  errors: { ...approveErrors, payee_denied: screeningErrors.table.payee_denied, ...transferErrors },
  example: { responses: { 200: { ...sample.OK, refund: approvedExample } } },
});

const TOGETHER_MAX = 20;

export const approveRefunds = endpoint({
  method: "POST",
  path: "/api/refunds/approve",
  summary: "Approve several refunds and pay them, each with its own outcome",
  description: "One that cannot be paid does not stop the others: its entry of `results` has the error. At most 20.",
  work: 30,
  auth: "owner",
  surface: "wallet",
  body: z.object({
    refundIds: z
      .array(refundId, { error: "must be a list of refund ids" })
      .min(1, "must name at least one refund")
      .max(TOGETHER_MAX, `must name at most ${TOGETHER_MAX} refunds`)
      .refine((ids) => new Set(ids).size === ids.length, "must not name a refund twice"),
  }),
  response: z.object({
    status: z.literal("ok"),
    /** In the order of refundIds. */
    results: z.array(
      z.object({
        refundId,
        /** Null if the approval failed or its outcome is unknown. */
        refund: refundView.nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  }),
  // An error of a refund is in its result.
  errors: {},
  example: {
    request: { refundIds: [sample.REFUND] },
    responses: { 200: { ...sample.OK, results: [{ refundId: sample.REFUND, refund: approvedExample, error: null }] } },
  },
});

export const rejectRefund = endpoint({
  method: "POST",
  path: "/api/refunds/{refundId}/reject",
  summary: "Reject a refund that waits for the owner's approval",
  description:
    "No money moves, and the amount is free for another refund. The agent sees `cancelled`, with `cancelledBy: owner`.",
  work: 10,
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params,
  response: refundResponse,
  errors: cancelErrors,
  example: { responses: { 200: { ...sample.OK, refund: { ...cancelledExample, cancelledBy: "owner" } } } },
});

export function toRefundItem(
  { refund, sale, paid: payment, transfer, fromWallet }: RefundView,
  baseUrl: string,
  now: Date,
): RefundItem {
  const status = refundStatus(refund, transfer, now);
  return {
    refundId: refund.refundId,
    refundUrl: `${baseUrl}/authorize/refund/${refund.refundId}`,
    paymentId: refund.paymentId,
    linkId: sale.linkId,
    sourceType: sale.source,
    amount: refund.amount,
    amountFormatted: formatUsdc(refund.amount),
    currency: "USDC",
    network: payment.network,
    refundFrom: transfer?.payer ?? fromWallet.address,
    refundTo: payment.payer,
    status,
    refundTxHash: transfer && visibleTxHash(transfer),
    refundType: refundType(refund.amount, payment.amount),
    reason: refund.reason,
    originalAmount: payment.amount,
    originalTxHash: payment.txHash,
    agentName: sale.agentName,
    requestedBy: refund.requestedBy,
    isApproved: refund.approvedAt !== null,
    cancelledBy: refund.cancelledBy,
    failureCode: transfer && failureOf(transfer),
    stillValidUntil: transfer && stillValidUntil(transfer),
    settlementId: refund.settlementId,
    receiptUrl: refund.settlementId && receiptUrl(baseUrl, refund.settlementId),
    expiresAt: refund.expiresAt,
    createdAt: refund.createdAt,
  };
}

/** A payment's refunds as its receipt shows them, without the seller's private data. */
export type GivenBack = { refunded: Usdc; refunds: GivenBackRefund[] };
/** `state`: "open" for a transfer that the service stopped submitting and that can still be made. */
export type GivenBackRefund = {
  amount: Usdc;
  state: "settled" | "pending" | "open";
  endedAt: Date | null;
  settlementId: string;
};

export const toGivenBack = (refundSummary: { refunded: Usdc; transfers: readonly Settlement[] }): GivenBack => ({
  refunded: refundSummary.refunded,
  refunds: refundSummary.transfers.map((transfer) => ({
    amount: transfer.amount,
    state: publicStatus(transfer.state) === "settled" ? "settled" : stillValidUntil(transfer) ? "open" : "pending",
    endedAt: transfer.endedAt,
    settlementId: transfer.id,
  })),
});

export const toResults = (outcomes: readonly RefundOutcome[], baseUrl: string, now: Date) =>
  outcomes.map(({ refundId, outcome }) =>
    outcome instanceof AppError
      ? { refundId, refund: null, error: toRefusal(outcome) }
      : { refundId, refund: toRefundItem(outcome, baseUrl, now), error: null },
  );
