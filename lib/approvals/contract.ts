import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { AppError } from "@/lib/core/errors";
import { agentId, anyIdText, id } from "@/lib/core/id-text";
import type { ApprovalId } from "@/lib/core/ids";
import { amount, formatUsdc, limitAmount } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors, toRefusal } from "@/lib/http/errors";
import { mandateErrors } from "@/lib/mandates/errors";
import { mandateView } from "@/lib/mandates/responses";
import { byMeans, inAnyCredits, paymentRequest, signedV1 } from "@/lib/payments/contract";
import { paymentErrors } from "@/lib/payments/errors";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import type { ApprovalOutcome } from "./approve";
import { approvalErrors } from "./errors";
import { type ApprovalRequired, statusOf } from "./rules";
import type { ApprovalWithAgent } from "./service";

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
export const approvalId = z
  .custom<ApprovalId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be an approval id (apr_…)",
  )
  .meta(anyIdText);

const requestV1 = byMeans(
  paymentRequest
    .extend({ amount: limitAmount, approvalId: approvalId.optional() })
    .transform((request) => ({ ...request, means: "usdc" as const })),
  inAnyCredits,
);

export type PaymentRequestV1 = z.output<typeof requestV1>;

const required = z.object({
  status: z.literal("approval_required"),
  code: z.literal("approval_required"),
  message: z.string(),
  approvalId,
  approvalUrl: z.string(),
  /** Unix seconds, as in the response with the proof. */
  expiresAt: z.number(),
  agentStatus: z.enum(["ready", "needs_wallet_authorization"]),
  payment_model_context: z.object({ primer: z.string(), instructions: z.string() }),
});

export const approvalView = z.object({
  approvalId,
  status: z.enum(["pending", "approved", "denied", "used", "expired"]),
  agentId,
  agentName: z.string(),
  amount,
  amountFormatted: z.string(),
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  payTo: addressText,
  host: z.string(),
  resource: z.string(),
  description: z.string(),
  paymentRecordId: id("payment").nullable(),
  approvalUrl: z.string(),
  createdAt: isoDate,
  expiresAt: isoDate,
});

export type ApprovalView = z.output<typeof approvalView>;

const params = z.object({ approvalId });
const token = z.string({ error: "must be the token of the approvalUrl" }).max(200).optional();
const approvalResponse = z.object({ status: z.literal("ok"), approval: approvalView });
const { table } = approvalErrors;
const { approval_not_found, approval_mismatch, approval_denied, approval_expired, approval_used } = table;
const { invalid_resource, host_mismatch, unsupported_scheme, token_mismatch, firewall_blocked } = paymentErrors.table;
const { unsupported_network, unsupported_asset, currency_mismatch } = paymentErrors.table;
const { agent_linked_elsewhere } = agentErrors.table;

export const signV1 = endpoint({
  method: "POST",
  path: "/api/payment/x402V1Payment",
  summary:
    "Request the owner's approval for one payment without a mandate (202 with an approvalUrl); sent again with the approvalId, sign it (x402 v1 proof)",
  auth: "agent",
  surface: "wallet",
  body: requestV1,
  response: { 200: signedV1, 202: required },
  errors: {
    invalid_resource,
    host_mismatch,
    unsupported_scheme,
    unsupported_network,
    unsupported_asset,
    currency_mismatch,
    token_mismatch,
    firewall_blocked,
    approval_not_found,
    approval_mismatch,
    approval_denied,
    approval_expired,
    approval_used,
    rate_limited: edgeErrors.table.rate_limited,
  },
});

export const claimApproval = endpoint({
  method: "POST",
  path: "/api/approvals/{approvalId}/claim",
  summary: "Link the agent that requested a payment to the signed-in owner",
  auth: "owner",
  surface: "wallet",
  params,
  body: z.object({ token }),
  response: approvalResponse,
  errors: { approval_not_found, approval_denied, approval_expired, approval_used, agent_linked_elsewhere },
});

export const approvePayment = endpoint({
  method: "POST",
  path: "/api/approvals/{approvalId}/approve",
  summary:
    "Let an agent sign one payment from the owner's spending wallet. Idempotent. Requires a signature when what was paid without one in 24 hours would exceed the approval limit, or the owner has signed nothing for the agent yet",
  work: 12,
  auth: "owner",
  surface: "wallet",
  params,
  body: withSignature,
  response: approvalResponse,
  errors: { approval_not_found, approval_expired, approval_decided: table.approval_decided, ...confirmErrors },
});

const TOGETHER_MAX = 50;

export const approvePayments = endpoint({
  method: "POST",
  path: "/api/approvals/approve",
  summary:
    "Let agents sign several payments, each with its own outcome. Idempotent. Requires one signature when with what was paid without one in 24 hours they exceed the approval limit, or the owner has signed nothing for an agent yet",
  work: 35,
  auth: "owner",
  surface: "wallet",
  body: withSignature.extend({
    approvalIds: z
      .array(approvalId, { error: "must be a list of approval ids" })
      .min(1, "must name at least one approval")
      .max(TOGETHER_MAX, `must name at most ${TOGETHER_MAX} approvals`)
      .refine((ids) => new Set(ids).size === ids.length, "must not name an approval twice"),
  }),
  response: z.object({
    status: z.literal("ok"),
    /** In the order of approvalIds. */
    results: z.array(
      z.object({
        approvalId,
        /** Null if the approval failed or its outcome is unknown. */
        approval: approvalView.nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  }),
  errors: confirmErrors,
});

export const toResults = (outcomes: readonly ApprovalOutcome[], baseUrl: string, now: Date) =>
  outcomes.map(({ approvalId, outcome }) =>
    outcome instanceof AppError
      ? { approvalId, approval: null, error: toRefusal(outcome) }
      : { approvalId, approval: toApprovalView(outcome, baseUrl, now), error: null },
  );

export const denyPayment = endpoint({
  method: "POST",
  path: "/api/approvals/{approvalId}/deny",
  summary: "Deny a payment, or revoke an approval that the agent has not used",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params,
  body: z.object({ token }),
  response: approvalResponse,
  errors: { approval_not_found, approval_expired, approval_used, agent_linked_elsewhere },
});

const YEAR_SECONDS = 31_536_000;

export const alwaysAllow = endpoint({
  method: "POST",
  path: "/api/approvals/{approvalId}/mandate",
  summary: "Prepare a mandate for a payment's agent and host, for the owner to sign",
  work: 14,
  auth: "owner",
  surface: "wallet",
  params,
  body: z.object({
    limitAmount,
    maxAmountPerPayment: limitAmount.nullish().transform((cap) => cap ?? null),
    validForSeconds: z
      .int({ error: "must be an integer number of seconds" })
      .min(1, "must be at least 1")
      .max(YEAR_SECONDS, "must be at most 31536000, one year"),
  }),
  response: { 201: z.object({ status: z.literal("ok"), mandate: mandateView }) },
  errors: {
    approval_not_found,
    approval_denied,
    approval_expired,
    approval_used,
    agent_not_found: agentErrors.table.agent_not_found,
    approval_mandate_waiting: table.approval_mandate_waiting,
    cap_exceeds_limit: mandateErrors.table.cap_exceeds_limit,
  },
});

const approvalUrl = (id: ApprovalId, baseUrl: string, token: string | null) =>
  `${baseUrl}/authorize/payment/${id}${token === null ? "" : `?token=${token}`}`;

const PRIMER =
  "This wallet pays x402 requests under a mandate, or individually when its user approves that exact payment. You cannot approve a payment yourself.";
const INSTRUCTIONS =
  "Show the user approvalUrl. After they approve, send the same body again with approvalId to receive the proof (xPaymentB64), once. Until then, do not change the payment or request another approval.";

/** `isLinked`: the agent has an owner. */
export const toApprovalRequired = (
  { approval, token }: ApprovalRequired,
  baseUrl: string,
  isLinked: boolean,
): z.input<typeof required> => ({
  status: "approval_required",
  code: "approval_required",
  message:
    token === null
      ? "The user has not decided yet. Send the same body with this approvalId again after they decide"
      : "The user must approve this payment. Ask them to open approvalUrl within ten minutes, then send the same body again with approvalId",
  approvalId: approval.id,
  approvalUrl: approvalUrl(approval.id, baseUrl, token),
  expiresAt: unixSeconds(approval.expiresAt),
  agentStatus: isLinked ? "ready" : "needs_wallet_authorization",
  payment_model_context: { primer: PRIMER, instructions: INSTRUCTIONS },
});

export const toApprovalView = (
  { approval: a, agentName }: ApprovalWithAgent,
  baseUrl: string,
  now: Date,
): ApprovalView => ({
  approvalId: a.id,
  status: statusOf(a, now),
  agentId: a.agentId,
  agentName,
  amount: a.amount,
  amountFormatted: formatUsdc(a.amount),
  currency: "USDC",
  network: a.network,
  payTo: a.payee,
  host: a.host,
  resource: a.resource,
  description: a.description,
  paymentRecordId: a.paymentId,
  approvalUrl: approvalUrl(a.id, baseUrl, null),
  createdAt: a.createdAt,
  expiresAt: a.expiresAt,
});
