import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { AppError } from "@/lib/core/errors";
import { agentId, id } from "@/lib/core/id-text";
import type { ApprovalId } from "@/lib/core/ids";
import { amount, formatUsdc, limitAmount } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors, toRefusal } from "@/lib/http/errors";
import { mandateErrors } from "@/lib/mandates/errors";
import { mandateView } from "@/lib/mandates/responses";
import {
  approvalId,
  approvalRequired,
  byMeans,
  IGNORES_UNKNOWN,
  inAnyCredits,
  paymentRequest,
  signedV1,
} from "@/lib/payments/contract";
import { paymentErrors } from "@/lib/payments/errors";
import * as sample from "@/lib/samples";
import { screeningErrors } from "@/lib/screening/errors";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import type { ApprovalOutcome } from "./approve";
import { approvalErrors } from "./errors";
import { type ApprovalRequired, statusOf } from "./rules";
import type { ApprovalWithAgent } from "./service";

const requestV1 = byMeans(
  paymentRequest
    .extend({ amount: limitAmount, approvalId: approvalId.optional() })
    .transform((request) => ({ ...request, means: "usdc" as const })),
  inAnyCredits,
);

export type PaymentRequestV1 = z.output<typeof requestV1>;

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

export { approvalId };

const params = z.object({ approvalId });
const token = z.string({ error: "must be the token of the approvalUrl" }).max(200).optional();
const approvalResponse = z.object({ status: z.literal("ok"), approval: approvalView });
const { table } = approvalErrors;
const { approval_not_found, approval_mismatch, approval_denied, approval_expired, approval_used } = table;
const { invalid_resource, host_mismatch, unsupported_scheme, token_mismatch } = paymentErrors.table;
const { firewall_blocked, challenge_over } = paymentErrors.table;
const { unsupported_network, unsupported_asset, currency_mismatch } = paymentErrors.table;
const { agent_linked_elsewhere } = agentErrors.table;

const approvalExample = {
  approvalId: sample.APPROVAL,
  status: "approved",
  agentId: sample.AGENT,
  agentName: "Research agent",
  amount: "500000",
  amountFormatted: "0.50",
  currency: "USDC",
  network: sample.NETWORK,
  payTo: sample.SELLER,
  host: sample.HOST,
  resource: sample.RESOURCE,
  description: "A report",
  paymentRecordId: null,
  approvalUrl: `${sample.ORIGIN}/authorize/payment/${sample.APPROVAL}`,
  createdAt: sample.CREATED,
  expiresAt: "2026-11-02T09:10:00.000Z",
};

export const signV1 = endpoint({
  method: "POST",
  path: "/api/payment/x402V1Payment",
  summary:
    "Request the owner's approval for one payment without a mandate (202 with an approvalUrl); sent again with the approvalId, sign it (x402 v1 proof)",
  description:
    "202: show approvalUrl to the user, then send the same body with the approvalId. An approval is valid for one payment, within ten minutes. It needs no mandate, and the agent need not be linked yet: the person who opens the address links it.",
  auth: "agent",
  surface: "wallet",
  ignoresUnknown: IGNORES_UNKNOWN,
  body: requestV1,
  response: { 200: signedV1, 202: approvalRequired },
  errors: {
    invalid_resource,
    host_mismatch,
    unsupported_scheme,
    unsupported_network,
    unsupported_asset,
    currency_mismatch,
    token_mismatch,
    challenge_over,
    firewall_blocked,
    payee_denied: screeningErrors.table.payee_denied,
    approval_not_found,
    approval_mismatch,
    approval_denied,
    approval_expired,
    approval_used,
    owner_limit_reached: mandateErrors.table.owner_limit_reached,
    mandate_changed: mandateErrors.table.mandate_changed,
    rate_limited: edgeErrors.table.rate_limited,
  },
  example: {
    request: sample.paymentRequest,
    responses: {
      200: sample.signedV1,
      202: {
        status: "approval_required",
        code: "approval_required",
        message: "The user must approve this payment",
        approvalId: sample.APPROVAL,
        approvalUrl: `${sample.ORIGIN}/authorize/payment/${sample.APPROVAL}?token=Zk3pQ7vN`,
        expiresAt: sample.SOON_SECONDS,
        agentStatus: "needs_wallet_authorization",
        summary: { ...sample.summary, payee: { address: sample.SELLER, known: null } },
        payment_model_context: {
          primer: "You cannot approve a payment yourself.",
          instructions: "Show the user approvalUrl. After they approve, send the same body again with approvalId.",
        },
      },
    },
  },
});

export const claimApproval = endpoint({
  method: "POST",
  path: "/api/approvals/{approvalId}/claim",
  summary: "Link the agent that requested a payment to the signed-in owner",
  description:
    "The first step on the page of an `approvalUrl`, for an agent without an owner. `token` is the one in that address. The payment is not approved by it: call `approve` or `deny` next.",
  auth: "owner",
  surface: "wallet",
  params,
  body: z.object({ token }),
  response: approvalResponse,
  errors: { approval_not_found, approval_denied, approval_expired, approval_used, agent_linked_elsewhere },
  example: {
    request: { token: "Zk3pQ7vN" },
    responses: { 200: { ...sample.OK, approval: { ...approvalExample, status: "pending" } } },
  },
});

export const approvePayment = endpoint({
  method: "POST",
  path: "/api/approvals/{approvalId}/approve",
  summary:
    "Let an agent sign one payment from the owner's spending wallet. Idempotent. Requires a signature when what was paid without one in 24 hours would exceed the approval limit, or the owner has signed nothing for the agent yet",
  description:
    "Nothing is paid yet: the agent fetches its proof by sending its request again. Answered 403 `signature_required` with the text to sign when the sum of a day would exceed the approval limit, and while the owner's wallet has signed nothing for the agent; send the same request with `signature`.",
  work: 12,
  auth: "owner",
  surface: "wallet",
  params,
  body: withSignature,
  response: approvalResponse,
  errors: { approval_not_found, approval_expired, approval_decided: table.approval_decided, ...confirmErrors },
  example: { request: {}, responses: { 200: { ...sample.OK, approval: approvalExample } } },
});

const TOGETHER_MAX = 50;

export const approvePayments = endpoint({
  method: "POST",
  path: "/api/approvals/approve",
  summary:
    "Let agents sign several payments, each with its own outcome. Idempotent. Requires one signature when with what was paid without one in 24 hours they exceed the approval limit, or the owner has signed nothing for an agent yet",
  description:
    "One that cannot be approved any more does not stop the others: its entry of `results` has the error. Send the same request again with `signature` after 403 `signature_required`.",
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
  example: {
    request: { approvalIds: [sample.APPROVAL] },
    responses: {
      200: { ...sample.OK, results: [{ approvalId: sample.APPROVAL, approval: approvalExample, error: null }] },
    },
  },
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
  description:
    "The agent is answered 403 `approval_denied` when it asks again. Once the agent has fetched its proof, denying is too late: 409 `approval_used`.",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params,
  body: z.object({ token }),
  response: approvalResponse,
  errors: { approval_not_found, approval_expired, approval_used, agent_linked_elsewhere },
  example: { request: {}, responses: { 200: { ...sample.OK, approval: { ...approvalExample, status: "denied" } } } },
});

const YEAR_SECONDS = 31_536_000;

export const alwaysAllow = endpoint({
  method: "POST",
  path: "/api/approvals/{approvalId}/mandate",
  summary: "Prepare a mandate for a payment's agent and host, for the owner to sign",
  description:
    "For an owner who does not want to be asked for this host again. The mandate lists the host of the payment only, and waits for the owner's signature like one that an agent proposes. The approval itself stays as it is.",
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
  example: {
    request: { limitAmount: "5000000", maxAmountPerPayment: "1000000", validForSeconds: 2_592_000 },
    responses: { 201: { ...sample.OK, mandate: { ...sample.proposedMandate, requestedBy: "owner" } } },
  },
});

const approvalUrl = (id: ApprovalId, baseUrl: string, token: string | null) =>
  `${baseUrl}/authorize/payment/${id}${token === null ? "" : `?token=${token}`}`;

const PRIMER =
  "This wallet pays x402 requests under a mandate, or individually when its user approves that exact payment. You cannot approve a payment yourself.";
const INSTRUCTIONS =
  "Show the user approvalUrl. After they approve, send the same body again with approvalId to receive the proof (xPaymentB64), once. Until then, do not change the payment or request another approval.";

const INSTRUCTIONS_ABOVE =
  "Show the user approvalUrl. After they approve, send the same request again to receive the proof, once. It is then paid without the mandate. Until then, do not change or split the payment.";

/** `isLinked`: the agent has an owner. `isAbove`: it waits because it is above the owner's caps, and was sent with a mandate. */
export const toApprovalRequired = (
  { approval, token, summary }: ApprovalRequired,
  baseUrl: string,
  { isLinked = true, isAbove = false }: { isLinked?: boolean; isAbove?: boolean },
): z.output<typeof approvalRequired> => ({
  status: "approval_required",
  code: "approval_required",
  message: isAbove
    ? "The payment is above the owner's limit, so the user must approve it. Ask them to open approvalUrl within ten minutes, then send the same request again"
    : token === null
      ? "The user has not decided yet. Send the same body with this approvalId again after they decide"
      : "The user must approve this payment. Ask them to open approvalUrl within ten minutes, then send the same body again with approvalId",
  approvalId: approval.id,
  approvalUrl: approvalUrl(approval.id, baseUrl, token),
  expiresAt: unixSeconds(approval.expiresAt),
  agentStatus: isLinked ? "ready" : "needs_wallet_authorization",
  summary,
  payment_model_context: { primer: PRIMER, instructions: isAbove ? INSTRUCTIONS_ABOVE : INSTRUCTIONS },
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
