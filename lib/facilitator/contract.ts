import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import type { FacilitatorKeyId } from "@/lib/core/ids";
import { type CursorPage, cursorText, encodeCursor } from "@/lib/core/page";
import { shownName } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { screeningErrors } from "@/lib/screening/errors";
import { settlementView, toSettlementView, visibleTxHash } from "@/lib/settlements/contract";
import { settlementErrors } from "@/lib/settlements/errors";
import { facilitatorErrors } from "./errors";
import type { Key, PaymentRow } from "./keys";
import { type FacilitatorRequest, REASONS, REQUESTS_PER_MINUTE, SETTLEMENTS_PER_DAY } from "./rules";
import type { SettleOutcome } from "./service";

export { KEYS_MAX, REQUESTS_PER_MINUTE, SETTLEMENTS_PER_DAY } from "./rules";

const { table } = facilitatorErrors;

/** Sized for requirements that contain a JSON Schema of what is sold. */
const BODY_BYTES_MAX = 131_072;
const CHARACTERS_MAX = 200;
const TEXT_CHARACTERS_MAX = 10_000;

const short = (name: string) =>
  z.string(`must have ${name} as a text`).max(CHARACTERS_MAX, `${name} must have at most ${CHARACTERS_MAX} characters`);
const long = z.string().max(TEXT_CHARACTERS_MAX, `must have at most ${TEXT_CHARACTERS_MAX} characters`).nullish();

/** The requirement of x402 v1 (`maxAmountRequired`) or v2 (`amount`). Other members are ignored. */
const requirements = z.object(
  {
    scheme: short("scheme"),
    network: short("network"),
    amount: short("amount").optional(),
    maxAmountRequired: short("maxAmountRequired").optional(),
    asset: short("asset"),
    payTo: short("payTo"),
    resource: long,
    description: long,
  },
  "must be the payment requirements",
);

/** x402 v1 and v2, section 7. */
const request: z.ZodType<FacilitatorRequest> = z.object({
  x402Version: z.int("must be 1 or 2").optional(),
  paymentPayload: z.record(z.string(), z.unknown(), "must be the payment payload"),
  paymentRequirements: requirements,
});

/** Of bodies that servers pass on as they have them. */
const IGNORES_UNKNOWN = "x402 and its extensions add members to payloads and requirements";

const verified = z.object({
  isValid: z.boolean(),
  /** Present when `isValid` is false. */
  invalidReason: z.enum(REASONS).optional(),
  invalidMessage: z.string().optional(),
  payer: z.string().optional(),
});

const settled = z.object({
  success: z.boolean(),
  /** Present when `success` is false. `settlement_pending`: not known yet; repeating the request returns the outcome. */
  errorReason: z.enum(REASONS).optional(),
  errorMessage: z.string().optional(),
  payer: z.string().optional(),
  /** The transaction's hash; empty when there is none. */
  transaction: z.string(),
  /** As written in the requirement. */
  network: z.string(),
  /** Absent when nothing was claimed. */
  extra: z.object({ settlementId: id("settlement"), receiptUrl: z.string() }).optional(),
});

const sellerErrors = {
  invalid_api_key: table.invalid_api_key,
  too_many_requests: table.too_many_requests,
  rate_limited: table.rate_limited,
  payer_over_gas_budget: settlementErrors.table.PAYER_OVER_GAS_BUDGET,
  too_many_contract_payments: settlementErrors.table.TOO_MANY_CONTRACT_PAYMENTS,
  ...screeningErrors.table,
};

/** What the facilitator reads of a requirement; it ignores other members. */
const { maxTimeoutSeconds: _seconds, extra: _extra, ...requirementExample } = sample.acceptedOffer;

const requestExample = {
  x402Version: 2,
  paymentPayload: {
    x402Version: 2,
    accepted: { ...sample.acceptedOffer, amount: "500000" },
    payload: { signature: sample.SIGNATURE, authorization: sample.authorization },
  },
  paymentRequirements: { ...requirementExample, amount: "500000" },
};

const keyExample = {
  keyId: sample.KEY,
  name: "Shop",
  secretStart: "tsk_4fQ8",
  requestsPerMinute: 600,
  settlementsPerDay: 10_000,
  lastUsedAt: null,
  revokedAt: null,
  createdAt: sample.CREATED,
};

export const verifyPayment = endpoint({
  method: "POST",
  path: "/facilitator/verify",
  summary: "Whether a payment would settle now (x402 v1 and v2). 200 also when it would not",
  description:
    "Point the `HTTPFacilitatorClient` of any x402 server at `/facilitator`, or at `/facilitator/k/<key>` where it cannot send a header. Nothing is claimed or moved: deliver only after `settle`. `invalidReason` is a code of the protocol.",
  stores: "nothing",
  auth: "seller",
  surface: "wallet",
  work: 5,
  bodyBytesMax: BODY_BYTES_MAX,
  ignoresUnknown: IGNORES_UNKNOWN,
  body: request,
  response: verified,
  errors: sellerErrors,
  example: { request: requestExample, responses: { 200: { isValid: true, payer: sample.WALLET } } },
});

export const settlePayment = endpoint({
  method: "POST",
  path: "/facilitator/settle",
  summary:
    "Settle a payment (x402 v1 and v2). 200 also when it is not settled; the same request, repeated, returns the same outcome",
  description:
    "It moves the buyer's money to the seller; this service pays the gas. `errorReason: settlement_pending` means that the outcome is not known yet: send the same request again, and do not deliver before it says `success`.",
  stores: "paid",
  auth: "seller",
  surface: "wallet",
  work: 4,
  bodyBytesMax: BODY_BYTES_MAX,
  ignoresUnknown: IGNORES_UNKNOWN,
  body: request,
  response: settled,
  errors: { ...sellerErrors, too_many_settlements: table.too_many_settlements },
  example: {
    request: requestExample,
    responses: {
      200: {
        success: true,
        payer: sample.WALLET,
        transaction: sample.TX_HASH,
        network: "eip155:8453",
        extra: { settlementId: sample.SETTLEMENT, receiptUrl: sample.receiptUrl },
      },
    },
  },
});

export const getSupported = endpoint({
  method: "GET",
  path: "/facilitator/supported",
  summary: "Networks and schemes that the facilitator settles, and the accounts that submit transfers",
  description: "Servers read it when they start. It needs no API key.",
  auth: "none",
  surface: "wallet",
  work: 2,
  response: z.object({
    kinds: z.array(z.object({ x402Version: z.literal([1, 2]), scheme: z.literal("exact"), network: z.string() })),
    extensions: z.array(z.string()),
    signers: z.record(z.string(), z.array(z.string())),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        kinds: [
          { x402Version: 1, scheme: "exact", network: sample.NETWORK },
          { x402Version: 2, scheme: "exact", network: "eip155:8453" },
        ],
        extensions: [],
        signers: { "eip155:*": [sample.SELLER] },
      },
    },
  },
});

const keyView = z.object({
  keyId: z.string(),
  name: z.string(),
  /** The first characters of the secret. */
  secretStart: z.string(),
  requestsPerMinute: z.int(),
  settlementsPerDay: z.int(),
  /** Accurate to a minute; null before the first use. */
  lastUsedAt: isoDate.nullable(),
  revokedAt: isoDate.nullable(),
  createdAt: isoDate,
});
export type KeyItem = z.output<typeof keyView>;

const limit = (max: number) =>
  z.int(`must be an integer from 1 to ${max}`).min(1, `must be at least 1`).max(max, `must be at most ${max}`);
const ofKey = z.object({ keyId: id("facilitatorKey") });
const terms = z.object({
  name: shownName(),
  requestsPerMinute: limit(REQUESTS_PER_MINUTE.max).optional(),
  settlementsPerDay: limit(SETTLEMENTS_PER_DAY.max).optional(),
});
const ok = z.literal("ok");
const keyResponse = z.object({ status: ok, key: keyView });
const { key_not_found } = table;

export const listKeys = endpoint({
  method: "GET",
  path: "/api/facilitator/keys",
  summary: "The owner's API keys for the facilitator, oldest first, with revoked ones",
  description: "Only the first characters of a secret are kept; `lastUsedAt` is accurate to a minute.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, keys: z.array(keyView) }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, keys: [keyExample] } } },
});

export const createKey = endpoint({
  method: "POST",
  path: "/api/facilitator/keys",
  summary:
    "Create an API key for the facilitator. Only this response contains its secret (also when repeated with the same Idempotency-Key)",
  description:
    "Give each seller a key of its own, so that it can be limited and revoked alone. Store `secret` now: it cannot be read again.",
  auth: "owner",
  surface: "wallet",
  body: terms,
  response: { 201: keyResponse.extend({ secret: z.string() }) },
  errors: { too_many_keys: table.too_many_keys },
  example: {
    request: { name: "Shop", requestsPerMinute: 600 },
    responses: { 201: { ...sample.OK, key: keyExample, secret: "tsk_4fQ8Lm2NvXc7Rt9Wp1Zs6Yb3" } },
  },
});

export const updateKey = endpoint({
  method: "PATCH",
  path: "/api/facilitator/keys/{keyId}",
  summary: "Rename an API key, or change its limits",
  description: "New limits count from the next request on. A revoked key cannot be changed.",
  auth: "owner",
  surface: "wallet",
  params: ofKey,
  body: terms
    .partial()
    .refine((edit) => Object.keys(edit).length > 0, "must change name, requestsPerMinute or settlementsPerDay"),
  response: keyResponse,
  errors: { key_not_found, key_revoked: table.key_revoked },
  example: {
    request: { settlementsPerDay: 20_000 },
    responses: { 200: { ...sample.OK, key: { ...keyExample, settlementsPerDay: 20_000 } } },
  },
});

export const revokeKey = endpoint({
  method: "DELETE",
  path: "/api/facilitator/keys/{keyId}",
  summary: "Revoke an API key, at once and for good. Its payments stay in the list",
  description:
    "Its next request is answered 401 `invalid_api_key`. Payments that it has begun to settle still end; revoking again changes nothing.",
  auth: "owner",
  surface: "wallet",
  params: ofKey,
  response: keyResponse,
  errors: { key_not_found },
  example: { responses: { 200: { ...sample.OK, key: { ...keyExample, revokedAt: sample.UPDATED } } } },
});

const paymentView = settlementView.extend({ keyId: z.string(), keyName: z.string() });
export type PaymentItem = z.output<typeof paymentView>;

export const listFacilitatorPayments = endpoint({
  method: "GET",
  path: "/api/facilitator/payments",
  summary: "Payments that were settled with the owner's API keys, newest first",
  description: "Which key settled what for whom, with the state on the chain. `keyId` lists those of one key.",
  auth: "owner",
  surface: "wallet",
  query: z.object({ keyId: id("facilitatorKey").optional(), cursor: cursorText.optional() }),
  response: z.object({ status: ok, payments: z.array(paymentView), nextCursor: z.string().nullable() }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        payments: [{ ...sample.settlement, purpose: "facilitator", keyId: sample.KEY, keyName: "Shop" }],
        ...sample.LAST_PAGE,
      },
    },
  },
});

export const PAYMENTS_PER_PAGE = 50;

export const toKeyItem = (key: Key): KeyItem => ({
  keyId: key.id satisfies FacilitatorKeyId,
  name: key.name,
  secretStart: key.secretStart,
  requestsPerMinute: key.requestsPerMinute,
  settlementsPerDay: key.settlementsPerDay,
  lastUsedAt: key.lastUsedAt,
  revokedAt: key.revokedAt,
  createdAt: key.createdAt,
});

export const toPaymentItem = ({ settlement, key, createdAt }: PaymentRow, baseUrl: string): PaymentItem => ({
  ...toSettlementView(settlement, baseUrl),
  createdAt,
  keyId: key.id,
  keyName: key.name,
});

export const toPaymentsResponse = ({ rows, next }: CursorPage<PaymentRow>, baseUrl: string) => ({
  status: "ok" as const,
  payments: rows.map((row) => toPaymentItem(row, baseUrl)),
  nextCursor: next && encodeCursor(next),
});

/** `network`: as written in the requirement. */
export function toSettled(outcome: SettleOutcome, network: string, baseUrl: string): z.output<typeof settled> {
  const { settlement } = outcome;
  const claimed = settlement && {
    transaction: visibleTxHash(settlement) ?? "",
    extra: { settlementId: settlement.id, receiptUrl: `${baseUrl}/receipt/${settlement.id}` },
  };
  const details = { transaction: "", network, ...claimed };
  if (outcome.isPaid) return { success: true, payer: outcome.settlement.payer, ...details };
  const { reason: errorReason, message: errorMessage, payer } = outcome;
  return { success: false, errorReason, ...(errorMessage && { errorMessage }), ...(payer && { payer }), ...details };
}
