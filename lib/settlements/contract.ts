import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { endpoint, type Reply, reply } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { amount } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { CONTRACT_DOMAIN_TYPE, typesView } from "@/lib/x402/domain-type";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { cancellationErrors, settlementErrors } from "./errors";
import { pendingPayment } from "./responses";
import { failureOf, publicStatus, stillValidUntil, visibleTxHash } from "./rules";
import type { Settlement } from "./store";

export { failureOf, isSale, publicStatus, stillValidUntil, visibleTxHash } from "./rules";
export { UNENDED } from "./tables";

export const settlementView = z.object({
  settlementId: id("settlement"),
  settlementStatus: z.enum(["pending", "settled", "failed"]),
  txHash: z.string().nullable(),
  network: z.enum(NETWORK_NAMES),
  payer: addressText,
  payee: addressText,
  amount,
  asset: addressText,
  purpose: z.string(),
  resource: z.string(),
  description: z.string(),
  /** Why it was declined (see `stillValidUntil`) or failed; otherwise null. */
  failureCode: z.string().nullable(),
  /** Until when an authorization that we stopped submitting can still move money; otherwise null. */
  stillValidUntil: isoDate.nullable(),
  blockNumber: z.string().nullable(),
  createdAt: isoDate,
  endedAt: isoDate.nullable(),
  receiptUrl: z.string(),
});

export type SettlementView = z.output<typeof settlementView>;

export const receiptUrl = (baseUrl: string, settlementId: string) => `${baseUrl}/receipt/${settlementId}`;

export const toSettlementView = (row: Settlement, baseUrl: string): SettlementView => ({
  settlementId: row.id,
  settlementStatus: publicStatus(row.state),
  txHash: visibleTxHash(row),
  network: row.network,
  payer: row.payer,
  payee: row.payee,
  amount: row.amount,
  asset: row.asset,
  purpose: row.purpose,
  resource: row.resource,
  description: row.description,
  failureCode: failureOf(row),
  stillValidUntil: stillValidUntil(row),
  blockNumber: row.blockNumber?.toString() ?? null,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
  receiptUrl: receiptUrl(baseUrl, row.id),
});

const settlementResponse = settlementView.extend({
  status: z.literal("ok"),
  /** Total of the settled refunds of this payment, in atomic USDC. */
  refundedAmount: amount,
  /** The content bought at a payment link. Only with the buyer's `key`. */
  content: z.string().nullable().optional(),
  /** The file bought at a payment link, with a URL valid for one hour. Only with the buyer's `key`. */
  file: z
    .object({ name: z.string(), bytes: z.int(), sha256: z.string(), url: z.string(), urlExpiresAt: isoDate })
    .optional(),
  /** The link's redirect target. Only with the buyer's `key`. */
  redirectUrl: z.string().optional(),
});

export const getSettlement = endpoint({
  method: "GET",
  path: "/api/settlements/{settlementId}",
  summary: "The status of a presented payment",
  description:
    "While `settlementStatus` is pending, read it again after a few seconds. `stillValidUntil`: the proof was not settled, but it can still be paid until then. `refundedAmount`: what the seller has given back; `settlementStatus` stays `settled`. With the buyer's `key`, from `contentUrl`, it has what was bought.",
  auth: "none",
  surface: "resource",
  params: z.object({ settlementId: id("settlement") }),
  work: 4,
  query: z.object({ key: z.string("must be given once").max(200, "must have at most 200 characters").optional() }),
  response: settlementResponse,
  errors: { SETTLEMENT_NOT_FOUND: settlementErrors.table.SETTLEMENT_NOT_FOUND },
  example: { responses: { 200: { ...sample.settlement, ...sample.OK, refundedAmount: "0" } } },
});

const typedData = z.object({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.int(), verifyingContract: addressText }),
  types: typesView("CancelAuthorization", CONTRACT_DOMAIN_TYPE),
  primaryType: z.literal("CancelAuthorization"),
  message: z.object({ authorizer: addressText, nonce: z.string() }),
});

export const getCancellation = endpoint({
  method: "GET",
  path: "/api/settlements/{settlementId}/cancellation",
  summary:
    "The typed data that a payer signs to cancel a payment that we stopped submitting and that can still be paid",
  description:
    "For the payer of a settlement that has `stillValidUntil`: until then anybody who saw the proof could submit it. Sign `typedData` with the payer's account and send the signature to the same address with POST. Reading it cancels nothing.",
  auth: "none",
  surface: "resource",
  params: z.object({ settlementId: id("settlement") }),
  work: 4,
  response: z.object({ status: z.literal("ok"), payer: addressText, stillValidUntil: isoDate.nullable(), typedData }),
  errors: {
    SETTLEMENT_NOT_FOUND: cancellationErrors.table.SETTLEMENT_NOT_FOUND,
    PAYMENT_NOT_CANCELLABLE: cancellationErrors.table.PAYMENT_NOT_CANCELLABLE,
  },
  example: {
    responses: {
      200: {
        ...sample.OK,
        payer: sample.BUYER,
        stillValidUntil: sample.TOMORROW,
        typedData: {
          domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: sample.USDC },
          types: {
            EIP712Domain: CONTRACT_DOMAIN_TYPE,
            CancelAuthorization: [
              { name: "authorizer", type: "address" },
              { name: "nonce", type: "bytes32" },
            ],
          },
          primaryType: "CancelAuthorization",
          message: { authorizer: sample.BUYER, nonce: sample.NONCE },
        },
      },
    },
  },
});

/** Maximum length of a contract account's signature, in hexadecimal digits. */
const SIGNATURE_DIGITS_MAX = 8_192;

const cancellation = z.object({
  status: z.enum(["ok", "pending"]),
  settlementId: id("settlement"),
  settlementStatus: z.enum(["pending", "failed"]),
  failureCode: z.string().nullable(),
  stillValidUntil: isoDate.nullable(),
});

export const postCancellation = endpoint({
  method: "POST",
  path: "/api/settlements/{settlementId}/cancellation",
  stores: "nothing",
  summary:
    "Submit the payer's signed cancellation, without gas costs for the payer; 202 until the chain shows it, then 200",
  description:
    "Anybody may send it; only the payer can sign it. After a 202 send the same request again, or read the settlement. The payment can still win: then the settlement is `settled`.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "cancellation_per_address",
  params: z.object({ settlementId: id("settlement") }),
  body: z.object({
    signature: z
      .string("must be the signature in hexadecimal, with 0x")
      .max(SIGNATURE_DIGITS_MAX + 2, `must have at most ${SIGNATURE_DIGITS_MAX} hexadecimal digits`)
      .regex(/^0x([0-9a-fA-F]{2})+$/, "must be the signature in hexadecimal, with 0x")
      .transform((text) => text as `0x${string}`),
  }),
  response: { 200: cancellation, 202: cancellation },
  errors: cancellationErrors.table,
  example: {
    request: { signature: sample.SIGNATURE },
    responses: {
      200: {
        ...sample.OK,
        settlementId: sample.SETTLEMENT,
        settlementStatus: "failed",
        failureCode: "CANCELED",
        stillValidUntil: null,
      },
    },
  },
});

/** The response to a cancellation request: 202 `pending` until the chain shows the cancellation, then 200. */
export function toCancellationReply(row: Settlement): Reply<200 | 202, z.output<typeof cancellation>> {
  const isVoid = row.state === "void";
  const body: z.output<typeof cancellation> = {
    status: isVoid ? "ok" : "pending",
    settlementId: row.id,
    settlementStatus: isVoid ? "failed" : "pending",
    failureCode: failureOf(row),
    stillValidUntil: stillValidUntil(row),
  };
  return isVoid ? reply(200, body) : reply(202, body, { headers: { "Retry-After": "2" } });
}

/** The claims of a signed receipt, with the JSON types of the signed bytes. */
const receiptClaims = z.object({
  iss: z.string(),
  /** The settlement's id. */
  sub: z.string(),
  /** `settledAt` in Unix seconds, not the time of signing, so that a receipt never changes. */
  iat: z.int(),
  txHash: z.string(),
  blockNumber: z.string(),
  network: z.enum(NETWORK_NAMES),
  asset: z.string(),
  payer: z.string(),
  payee: z.string(),
  /** Atomic units. */
  amount: z.string(),
  currency: z.literal("USDC"),
  description: z.string(),
  resource: z.string(),
  settledAt: z.string(),
  linkId: z.string().nullable(),
});
export type ReceiptClaims = z.output<typeof receiptClaims>;

/** The claims of a settlement's receipt; null unless it is settled. */
export function receiptOf(row: Settlement, baseUrl: string): ReceiptClaims | null {
  const { state, txHash, blockNumber, endedAt } = row;
  if (state !== "settled" || txHash === null || blockNumber === null || endedAt === null) return null;
  return {
    iss: baseUrl,
    sub: row.id,
    iat: unixSeconds(endedAt),
    txHash,
    blockNumber: blockNumber.toString(),
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    payee: row.payee,
    amount: row.amount.toString(),
    currency: "USDC",
    description: row.description,
    resource: row.resource,
    settledAt: endedAt.toISOString(),
    linkId: row.purpose === "link" ? row.subject : null,
  };
}

export const getReceipt = endpoint({
  method: "GET",
  path: "/api/settlements/{settlementId}/receipt",
  summary: "A signed receipt for a settled payment; 202 while the payment is pending",
  description:
    "Anybody may read it. `jws` is signed with the keys of the JWKS, so that it can be checked without asking this service. The receipt of a settlement never changes, also when the payment is refunded: read `refundedAmount` of the settlement before you deliver. 409 `NO_RECEIPT` means that the money did not move.",
  auth: "none",
  surface: "resource",
  params: z.object({ settlementId: id("settlement") }),
  work: 4,
  response: {
    200: z.object({ success: z.literal(true), receipt: receiptClaims, jws: z.string() }),
    202: pendingPayment,
  },
  errors: {
    SETTLEMENT_NOT_FOUND: settlementErrors.table.SETTLEMENT_NOT_FOUND,
    NO_RECEIPT: settlementErrors.table.NO_RECEIPT,
  },
  example: {
    responses: {
      200: {
        ...sample.SUCCESS,
        receipt: {
          iss: sample.ORIGIN,
          sub: sample.SETTLEMENT,
          iat: 1_793_610_004,
          txHash: sample.TX_HASH,
          blockNumber: "23456789",
          network: sample.NETWORK,
          asset: sample.USDC,
          payer: sample.BUYER,
          payee: sample.WALLET,
          amount: "1000000",
          currency: "USDC",
          description: "A report",
          resource: `${sample.ORIGIN}/pay/${sample.LINK}`,
          settledAt: sample.SETTLED,
          linkId: sample.LINK,
        },
        jws: sample.JWS,
      },
      202: sample.pending,
    },
  },
});
