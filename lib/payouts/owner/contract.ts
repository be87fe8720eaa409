import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { CSV, endpoint } from "@/lib/core/endpoint";
import { agentId, anyIdText } from "@/lib/core/id-text";
import type { PayoutId } from "@/lib/core/ids";
import { withJsonForm } from "@/lib/core/json-forms";
import { cursorText, pageSize } from "@/lib/core/page";
import { addSeconds } from "@/lib/core/time";
import { utcDay } from "@/lib/core/time-text";
import { toRefusal } from "@/lib/http/errors";
import { mandateErrors } from "@/lib/mandates/errors";
import * as sample from "@/lib/samples";
import { screeningErrors } from "@/lib/screening/errors";
import { transferErrors } from "@/lib/settlements/errors";
import {
  cancelErrors,
  createErrors,
  decideErrors,
  FILTER_MAX,
  linkedElsewhere,
  listFilter,
  multilineText,
  type OwnerPayoutRequest,
  ownerPayoutRequest,
} from "../contract";
import { payoutErrors } from "../errors";
import type { PayoutFilter } from "../list-store";
import { type PayoutItem, payoutView, toPayoutItem } from "../responses";
import { BATCH_ROWS_MAX } from "../rules";
import type { BatchResult, PayoutView } from "../views";

/**
 * The service's own id of a payout, because several agents may use the same payoutId. Accepts any text in the form of an id, so that
 * an unknown id gets 404 instead of 400.
 */
export const payoutRecordId = z
  .custom<PayoutId>(
    (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
    "must be a payout's record id (po_…)",
  )
  .meta(anyIdText);

const params = z.object({ payoutRecordId });
const token = z.string({ error: "must be the token of the approvalUrl" }).max(200).optional();
const ok = z.literal("ok");
const ownedPayoutResponse = z.object({ status: ok, payout: payoutView });
const approve = z.boolean({ error: "must be true or false" }).default(false);
const { table } = payoutErrors;
const { payout_not_found, invalid_recipient, insufficient_balance } = table;
/** Approving an approved payout, cancelling a cancelled one and denying a denied one change nothing. */
const { payout_approved: _approved, ...approveErrors } = decideErrors;
const { owner_limit_reached } = mandateErrors.table;
const { payout_denied: _denied, ...denyErrors } = decideErrors;

const body = z.intersection(ownerPayoutRequest, withSignature.extend({ approve }));

const ofOwnerExample = { ...sample.payout, agentId: null, agentName: null };

export const createOwnedPayout = endpoint({
  method: "POST",
  path: "/api/wallet/payouts",
  summary:
    "Create a payout from the owner's wallet. With approve it is paid immediately, otherwise it can be approved for a day. Paying an address outside the address book, or more than the approval limit in 24 hours, needs a signature",
  description:
    "For payouts that no agent requested. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. The same `payoutId` with the same body returns the first payout.",
  auth: "owner",
  surface: "wallet",
  body,
  response: { 201: ownedPayoutResponse, 200: ownedPayoutResponse },
  errors: { ...createErrors, ...approveErrors, ...confirmErrors },
  example: {
    request: { ...sample.payoutRequest, approve: false },
    responses: { 200: { ...sample.OK, payout: ofOwnerExample }, 201: { ...sample.OK, payout: ofOwnerExample } },
  },
});

const BATCH_BYTES_MAX = 262_144;

type ReadRow =
  | { type: "valid"; request: OwnerPayoutRequest }
  | { type: "invalid"; fault: { field: string; message: string } };

/** An invalid row must not keep the others from being paid. */
const row = withJsonForm(
  z.unknown().transform((input): ReadRow => {
    const parsed = ownerPayoutRequest.safeParse(input);
    if (parsed.success) return { type: "valid", request: parsed.data };
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") ?? "";
    const message = issue?.message ?? "not a payout";
    return { type: "invalid", fault: { field, message: field ? `${field}: ${message}` : message } };
  }),
  ownerPayoutRequest,
);
export type BatchRow = z.output<typeof row>;

const result = z.object({
  index: z.int(),
  payoutId: z.string().nullable(),
  /** 201 for a created payout, 200 for one that existed, otherwise the status of the error. */
  status: z.int(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  payout: payoutView.nullable(),
});
export type BatchItem = z.output<typeof result>;

export const createPayoutBatch = endpoint({
  method: "POST",
  path: "/api/wallet/payouts/batch",
  summary:
    "Create up to 100 payouts independently, with a result for each row. Each needs a payoutId, so that sending a file again pays nothing twice. If any row needs a signature, one signature covers the whole file",
  description:
    "A row that is not valid does not stop the others: its entry of `results` has the error. After a lost connection send the same file again.",
  work: 350,
  auth: "owner",
  surface: "wallet",
  bodyBytesMax: BATCH_BYTES_MAX,
  body: z.object(
    {
      rows: z
        .array(row, { error: "must be a list of payouts" })
        .min(1, "must have a row")
        .max(BATCH_ROWS_MAX, `must have at most ${BATCH_ROWS_MAX} rows`),
      approve,
      ...withSignature.shape,
    },
    { error: "must be an object" },
  ),
  response: z.object({ status: ok, results: z.array(result) }),
  // An error of a row is in its result.
  errors: confirmErrors,
  example: {
    request: { rows: [sample.payoutRequest], approve: false },
    responses: {
      200: {
        ...sample.OK,
        results: [{ index: 0, payoutId: "invoice-17", status: 201, code: null, message: null, payout: ofOwnerExample }],
      },
    },
  },
});

/** The filters of the payouts page and of its CSV. */
export const ownersFilter = listFilter.extend({
  /** `me`: payouts that the owner created. */
  agent: z.union([z.literal("me"), agentId], "must be an agent id, or me").optional(),
  text: multilineText(FILTER_MAX).optional(),
  from: utcDay.optional(),
  /** The last day, inclusive. */
  to: utcDay.optional(),
});
export type PayoutQuery = z.output<typeof ownersFilter>;

const DAY_SECONDS = 86_400;

export const filterOf = ({ agent, text, to, ...filters }: PayoutQuery): PayoutFilter => ({
  ...filters,
  agentId: agent === "me" ? null : agent,
  text: text?.trim() || undefined,
  to: to && addSeconds(to, DAY_SECONDS),
});

export const listOwnedPayouts = endpoint({
  method: "GET",
  path: "/api/wallet/payouts",
  summary: "Payouts of the owner and of the owner's agents, newest first",
  description:
    "`agent=me` lists those that the owner created. `text` looks into descriptions, ids and addresses; `from` and `to` are days in UTC, inclusive.",
  work: 11,
  auth: "owner",
  surface: "wallet",
  query: ownersFilter.extend({ limit: pageSize(20), cursor: cursorText.optional() }),
  response: z.object({ status: ok, payouts: z.array(payoutView), nextCursor: z.string().nullable() }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, payouts: [sample.payout], ...sample.LAST_PAGE } } },
});

export const downloadPayouts = endpoint({
  method: "GET",
  path: "/api/wallet/payouts.csv",
  summary: "The same list as CSV, one line for each recipient",
  description: "For bookkeeping: a split has a line for each of its transfers, with its transaction and its failure.",
  auth: "owner",
  surface: "wallet",
  query: ownersFilter,
  limitPerAddress: "download_per_address",
  response: CSV,
  errors: { agent_not_found: agentErrors.table.agent_not_found },
});

export const getOwnedPayout = endpoint({
  method: "GET",
  path: "/api/wallet/payouts/{payoutRecordId}",
  summary: "One payout of the owner or of one of the owner's agents",
  description:
    "`legs` has each transfer with its own state and receipt. The id is the `payoutRecordId`, because agents choose `payoutId`.",
  auth: "owner",
  surface: "wallet",
  params,
  response: ownedPayoutResponse,
  errors: { payout_not_found },
  example: { responses: { 200: { ...sample.OK, payout: sample.payout } } },
});

export const claimPayout = endpoint({
  method: "POST",
  path: "/api/wallet/payouts/{payoutRecordId}/claim",
  summary: "Link the agent that requests a payout to the signed-in owner",
  description:
    "The first step on the page of an `approvalUrl`, for an agent without an owner. `token` is the one in that address. Nothing is paid by it.",
  work: 14,
  auth: "owner",
  surface: "wallet",
  params,
  body: z.object({ token }),
  response: ownedPayoutResponse,
  // A payout cannot be approved before its agent has an owner.
  errors: { ...approveErrors, ...linkedElsewhere },
  example: { request: { token: "Zk3pQ7vN" }, responses: { 200: { ...sample.OK, payout: sample.payout } } },
});

export const approvePayout = endpoint({
  method: "POST",
  path: "/api/wallet/payouts/{payoutRecordId}/approve",
  summary:
    "Pay a payout from the owner's spending wallet, once. Idempotent; payout.status has the progress. Needs a signature in the same cases as creating a payout",
  description:
    "It claims the transfers at once; they are made in seconds. After 403 `signature_required` sign its `typedData` and send `signature`. Approving again pays nothing twice.",
  work: 60,
  auth: "owner",
  surface: "wallet",
  params,
  body: withSignature,
  response: ownedPayoutResponse,
  errors: {
    ...approveErrors,
    invalid_recipient,
    payee_denied: screeningErrors.table.payee_denied,
    insufficient_balance,
    owner_limit_reached,
    ...confirmErrors,
    payout_conflict: table.payout_conflict,
    ...transferErrors,
  },
  example: { request: {}, responses: { 200: { ...sample.OK, payout: sample.approvedPayout } } },
});

export const denyPayout = endpoint({
  method: "POST",
  path: "/api/wallet/payouts/{payoutRecordId}/deny",
  summary: "Deny a payout that waits for the owner. Idempotent",
  description:
    "Nothing is paid, and the agent sees `denied`. While the agent has no owner, `token` of the `approvalUrl` is needed.",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params,
  body: z.object({ token }),
  response: ownedPayoutResponse,
  errors: { ...denyErrors, ...linkedElsewhere },
  example: { request: {}, responses: { 200: { ...sample.OK, payout: sample.endedPayout("denied") } } },
});

export const cancelOwnedPayout = endpoint({
  method: "POST",
  path: "/api/wallet/payouts/{payoutRecordId}/cancel",
  summary: "Cancel a payout that is not approved yet. Idempotent",
  description:
    "For payouts that the owner created, and for those of agents. Once approved, it is 409 `payout_approved`.",
  work: 10,
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params,
  response: ownedPayoutResponse,
  errors: cancelErrors,
  example: { responses: { 200: { ...sample.OK, payout: sample.endedPayout("cancelled") } } },
});

export const toBatchItem = ({ index, payoutId, outcome }: BatchResult, baseUrl: string, now: Date): BatchItem =>
  outcome.type === "accepted"
    ? {
        index,
        payoutId,
        status: outcome.result.isNew ? 201 : 200,
        code: null,
        message: null,
        payout: toPayoutItem(outcome.result.view, baseUrl, now),
      }
    : { index, payoutId, status: outcome.error.status, ...toRefusal(outcome.error), payout: null };

export const PAYOUT_COLUMNS = [
  "time",
  "payout_id",
  "record_id",
  "status",
  "leg",
  "to_address",
  "amount_atomic",
  "amount",
  "share_bps",
  "currency",
  "network",
  "total_atomic",
  "agent_id",
  "agent_name",
  "mandate_id",
  "biz_id",
  "description",
  "tx_hash",
  "failure",
  "executed",
  "settlement_id",
] as const;

export type PayoutLine = { payout: PayoutItem; leg: PayoutItem["legs"][number] };

/** The recipients of each page's payouts. */
export async function* linesOf(
  pages: AsyncGenerator<PayoutView[]>,
  baseUrl: string,
  now: Date,
): AsyncGenerator<PayoutLine[]> {
  for await (const page of pages) {
    const items = page.map((view) => toPayoutItem(view, baseUrl, now));
    yield items.flatMap((payout) => payout.legs.map((leg) => ({ payout, leg })));
  }
}

/** One recipient of a payout as a line of CSV. */
export const payoutLine = ({ payout: p, leg }: PayoutLine): Record<(typeof PAYOUT_COLUMNS)[number], unknown> => ({
  time: p.createdAt.toISOString(),
  payout_id: p.payoutId,
  record_id: p.payoutRecordId,
  status: p.status,
  leg: leg.index,
  to_address: leg.toAddress,
  amount_atomic: leg.amount.toString(),
  amount: leg.amountFormatted,
  share_bps: leg.shareBps,
  currency: p.currency,
  network: p.network,
  total_atomic: p.amount.toString(),
  agent_id: p.agentId,
  agent_name: p.agentName,
  mandate_id: p.mandateId,
  biz_id: p.bizId,
  description: p.description,
  tx_hash: leg.txHash,
  failure: leg.failureCode ?? p.failureReason,
  executed: p.executedAt?.toISOString(),
  settlement_id: leg.settlementId,
});
