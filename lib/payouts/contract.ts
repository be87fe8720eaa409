import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { recipientText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { agentId } from "@/lib/core/id-text";
import { limitAmount } from "@/lib/core/money";
import { cursorText, pageSize } from "@/lib/core/page";
import { isVisible, shownText } from "@/lib/core/shown";
import { edgeErrors } from "@/lib/http/errors";
import { mandateErrors } from "@/lib/mandates/errors";
import { mandateId } from "@/lib/mandates/responses";
import { vaultErrors } from "@/lib/mandates/vaults/errors";
import { paymentErrors } from "@/lib/payments/errors";
import * as sample from "@/lib/samples";
import { screeningErrors } from "@/lib/screening/errors";
import { transferErrors } from "@/lib/settlements/errors";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_LIST } from "@/lib/x402/networks";
import { payoutErrors } from "./errors";
import { payoutResponse, payoutView, redactedResponse } from "./responses";
import {
  LEGS_MAX,
  PAYOUT_KEY,
  PAYOUT_STATUSES,
  SHARES_TOTAL,
  type Split,
  type SplitFault,
  splitOf,
  TEXT_MAX,
} from "./rules";

/** Text for the person who decides. */
export const multilineText = (max: number) => shownText({ max, hasLines: true, error: "must be a text" });

/** The creator's own id of a payout. */
export const payoutKey = z
  .string({ error: "must be a text" })
  .regex(PAYOUT_KEY, "must have 1 to 100 letters, digits or any of _ . : -");

const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((parsed) => parsed ?? undefined);

const recipient = z
  .object(
    {
      toAddress: recipientText,
      amount: limitAmount.optional(),
      shareBps: z
        .int({ error: "must be a whole number of basis points" })
        .min(1, "must be at least 1")
        .max(SHARES_TOTAL, "must be at most 10000")
        .optional(),
    },
    { error: "must be an object" },
  )
  .refine((leg) => leg.amount === undefined || leg.shareBps === undefined, "takes either amount or shareBps");

/** The request for a payout. The service validates the names of networks and assets, because it has codes for them. */
const payoutRequest = z.object(
  {
    payoutId: optional(payoutKey),
    toAddress: optional(recipientText),
    recipients: optional(
      z
        .array(recipient, { error: "must be a list of {toAddress, amount} or {toAddress, shareBps}" })
        .min(1, "must name at least one recipient")
        .max(LEGS_MAX, `must have at most ${LEGS_MAX} recipients`),
    ),
    amount: optional(limitAmount),
    currency: z.string({ error: "must be USDC" }).default("USDC"),
    network: z.string({ error: "must be a network's name" }).describe(NETWORK_LIST).default(DEFAULT_NETWORK),
    assetAddress: optional(z.string({ error: "must be an address" })),
    bizId: optional(multilineText(TEXT_MAX.bizId).refine(isVisible, "must not be empty")),
    description: optional(multilineText(TEXT_MAX.description)).transform((text) => text ?? ""),
  },
  { error: "must be an object" },
);

type PayoutRequest = z.output<typeof payoutRequest>;

/** Replaces `toAddress` and `recipients` with the legs. */
function withLegs<A extends PayoutRequest>(request: A, ctx: z.RefinementCtx) {
  const { toAddress, recipients, ...fields } = request;
  const split = splitRequest(request);
  if (split.type === "valid") return { ...fields, legs: split.legs, amount: split.amount };
  ctx.addIssue({ code: "custom", path: split.path, message: split.message });
  return z.NEVER;
}

function splitRequest({ toAddress, recipients, amount }: PayoutRequest): Split | SplitFault {
  if (recipients !== undefined && toAddress !== undefined) {
    return { type: "invalid", path: ["recipients"], message: "send either recipients or toAddress" };
  }
  if (recipients !== undefined) return splitOf(recipients, amount);
  if (toAddress === undefined) return { type: "invalid", path: ["toAddress"], message: "must be a 20-byte 0x address" };
  if (amount === undefined) return { type: "invalid", path: ["amount"], message: "is needed" };
  return splitOf([{ toAddress, amount }], amount);
}

/** The request of an owner, who needs no mandate. */
export const ownerPayoutRequest = payoutRequest.transform(withLegs);
export type OwnerPayoutRequest = z.output<typeof ownerPayoutRequest>;

const agentPayoutRequest = payoutRequest
  .extend({ agentId: optional(agentId), mandateId: optional(mandateId) })
  .transform(withLegs);
export type AgentPayoutRequest = z.output<typeof agentPayoutRequest>;

/** Maximum length of a filter in characters. Longer texts and control characters are never stored. */
export const FILTER_MAX = 200;

export const listFilter = z.object({
  status: z.enum(PAYOUT_STATUSES, `must be one of ${PAYOUT_STATUSES.join(", ")}`).optional(),
  network: networkText.optional(),
  bizId: multilineText(FILTER_MAX).optional(),
});

const { table } = payoutErrors;
const { payout_not_found, payout_conflict, duplicate_biz_id, agent_mismatch, invalid_recipient } = table;
const { insufficient_balance, payout_approved, payout_denied, payout_cancelled, payout_expired } = table;
const { unsupported_network, unsupported_asset, currency_mismatch } = paymentErrors.table;
const mandate = mandateErrors.table;

/** Why a payout cannot be created, by agents and owners alike. */
export const createErrors = {
  payout_conflict,
  duplicate_biz_id,
  invalid_recipient,
  payee_denied: screeningErrors.table.payee_denied,
  insufficient_balance,
  unsupported_network,
  unsupported_asset,
  currency_mismatch,
  ...transferErrors,
};
export const decideErrors = { payout_not_found, payout_approved, payout_denied, payout_cancelled, payout_expired };
/** Cancelling a cancelled payout changes nothing. */
const { payout_cancelled: _, ...remainingErrors } = decideErrors;
export const cancelErrors = remainingErrors;
export const linkedElsewhere = { agent_linked_elsewhere: agentErrors.table.agent_linked_elsewhere };

const waitingExample = {
  ...sample.payout,
  payout: sample.payout,
  summary: {
    ...sample.summary,
    kind: "payout",
    title: "Approve a payout of 2.50 USDC?",
    text: "Your agent “Research agent” asks you to pay out 2.50 USDC. The request ends after an hour.",
    amount: sample.payout.amount,
    amountFormatted: sample.payout.amountFormatted,
    payee: { ...sample.summary.payee, known: { ...sample.summary.payee.known, hostHistory: null } },
    host: null,
    resource: null,
    reason: null,
  },
};

export const createPayout = endpoint({
  method: "POST",
  path: "/api/payouts",
  summary:
    "Pay one address, or split among up to 100, from the owner's wallet: immediately under a mandate, otherwise once the owner approves it at approvalUrl. The same payoutId and body again return 200 with the payout's current state",
  description:
    "All transfers of a split are made in one transaction, or none, unless somebody else submits one of them: then the others follow one by one. A second payout of the same agent with the same `bizId`, such as an invoice, is refused until the first one has failed. Without a mandate, show `approvalUrl` to the user and read the payout again later.",
  auth: "agent",
  surface: "wallet",
  body: agentPayoutRequest,
  response: { 201: payoutResponse, 200: payoutResponse },
  errors: {
    ...createErrors,
    rate_limited: edgeErrors.table.rate_limited,
    agent_mismatch,
    mandate_not_found: mandate.mandate_not_found,
    mandate_not_signed: mandate.mandate_not_signed,
    mandate_disabled: mandate.mandate_disabled,
    mandate_revoked: mandate.mandate_revoked,
    mandate_expired: mandate.mandate_expired,
    vault_wallet_only: vaultErrors.table.vault_wallet_only,
    vault_failed: vaultErrors.table.vault_failed,
    mandate_insufficient_budget: mandate.mandate_insufficient_budget,
    mandate_period_budget_used: mandate.mandate_period_budget_used,
    owner_limit_reached: mandate.owner_limit_reached,
    mandate_payment_cap_exceeded: mandate.mandate_payment_cap_exceeded,
    mandate_changed: mandate.mandate_changed,
    host_not_allowed: mandate.host_not_allowed,
    agent_not_authorized: mandate.agent_not_authorized,
  },
  example: { request: sample.payoutRequest, responses: { 200: waitingExample, 201: waitingExample } },
});

export const listPayouts = endpoint({
  method: "GET",
  path: "/api/payouts",
  summary: "The agent's payouts, newest first",
  description:
    "Filter by `status`, `network` or `bizId`, for example to find out whether an invoice was paid before you pay it.",
  auth: "agent",
  surface: "wallet",
  query: listFilter.extend({ limit: pageSize(20), cursor: cursorText.optional() }),
  response: z.object({ status: z.literal("ok"), payouts: z.array(payoutView), nextCursor: z.string().nullable() }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, payouts: [sample.payout], ...sample.LAST_PAGE } } },
});

const params = z.object({ payoutId: payoutKey });

export const getPayout = endpoint({
  method: "GET",
  path: "/api/payouts/{payoutId}",
  summary:
    "One of the agent's payouts; without a login JWT only its payoutId, status and txHash, and only if no other payout has that payoutId",
  description:
    "Read it until `status` is `succeeded`, `failed`, `expired`, `denied` or `cancelled`. Without a login, the answer has only its state and transaction.",
  auth: "guest",
  work: 4,
  surface: "wallet",
  params,
  response: z.union([payoutResponse, redactedResponse]),
  errors: { payout_not_found },
  example: { responses: { 200: waitingExample } },
});

export const cancelPayout = endpoint({
  method: "POST",
  path: "/api/payouts/{payoutId}/cancel",
  summary: "Cancel a payout that is not approved yet. Idempotent",
  description:
    "For an agent that changed its mind before the owner decided. Once approved, it is 409 `payout_approved`.",
  auth: "agent",
  stores: "nothing",
  surface: "wallet",
  params,
  response: payoutResponse,
  errors: cancelErrors,
  example: {
    responses: {
      200: { ...sample.endedPayout("cancelled"), payout: sample.endedPayout("cancelled"), summary: null },
    },
  },
});
