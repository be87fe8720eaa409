import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { amount, type Usdc, ZERO } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { toSettlementView } from "@/lib/settlements/contract";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { digits, page, params } from "../contract";
import { linkErrors } from "../errors";
import { type ShownImage, shownImage } from "../images/image";
import { soldFields, toSoldFields } from "../orders/contract";
import type { BuyerAnswer } from "../orders/rules";
import type { ReceiptText } from "../texts";
import type { Received, SoldRow } from "./service";

const { LINK_NOT_FOUND, PAYMENT_NOT_FOUND } = linkErrors.table;

export const receivedView = z.object({
  id: z.int(),
  payerAddress: addressText,
  amount,
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  settlementStatus: z.enum(["pending", "settled", "failed", "refunded"]),
  settlementTxHash: z.string().nullable(),
  /** Why it failed, or why the service stopped submitting it; otherwise null. */
  failureCode: z.string().nullable(),
  /** Until when it can still be paid after the service stopped submitting it; otherwise null. */
  stillValidUntil: isoDate.nullable(),
  /** The sum of its paid refunds; `settlementStatus` is refunded once that is the full amount. */
  refundedAmount: amount,
  sourceType: z.enum(["payment_link", "upl"]),
  description: z.string(),
  paymentLinkId: id("link").nullable(),
  payerEmail: z.null(),
  payTo: addressText,
  settlementId: id("settlement"),
  receiptUrl: z.string(),
  createdAt: isoDate,
  ...soldFields.shape,
});

/** For clients that use offsets instead of the cursor. */
export const countedPage = page.extend({ offset: digits("a number of rows to skip").optional() });

const payments = z.object({
  success: z.literal(true),
  payments: z.array(receivedView),
  nextCursor: z.string().nullable(),
});

export const listLinkPayments = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}/payments",
  summary: "Payments of a link, newest first",
  description:
    "Only those of this link; `GET /api/received-payments` has all. A payment is final once `settlementStatus` is `settled`; `pending` ones are still on their way.",
  auth: "agent",
  surface: "resource",
  params,
  query: page,
  response: payments,
  errors: { LINK_NOT_FOUND },
  example: { responses: { 200: { ...sample.SUCCESS, payments: [sample.received], ...sample.LAST_PAGE } } },
});

export const listReceivedPayments = endpoint({
  method: "GET",
  path: "/api/received-payments",
  summary: "Payments the agent received at its links and its UPL, newest first",
  description:
    "Read it to deliver what was bought, or subscribe to webhooks. `id` is the `paymentId` for a refund. The deprecated `offset` is for old clients: use `cursor`.",
  work: 18,
  auth: "agent",
  surface: "resource",
  query: countedPage,
  response: payments,
  errors: {},
  example: { responses: { 200: { ...sample.SUCCESS, payments: [sample.received], ...sample.LAST_PAGE } } },
});

export const getReceivedPayment = endpoint({
  method: "GET",
  path: "/api/received-payments/{paymentId}",
  summary: "One payment the agent received",
  description:
    "`paymentId` is the number in `id` of the lists. `refundedAmount` is what was given back of it, and what waits for that.",
  auth: "agent",
  surface: "resource",
  params: z.object({ paymentId: z.string() }),
  response: z.object({ success: z.literal(true), payment: receivedView }),
  errors: { PAYMENT_NOT_FOUND },
  example: { responses: { 200: { ...sample.SUCCESS, payment: sample.received } } },
});

/** `refunded`: the sum of its paid refunds. */
export const toReceivedView = (
  { received, settlement, own: sellerFields }: Received,
  baseUrl: string,
  refunded: Usdc = ZERO,
): z.output<typeof receivedView> => {
  const view = toSettlementView(settlement, baseUrl);
  const { payer, payee, amount, network, description, settlementId, settlementStatus, txHash } = view;
  return {
    id: received.id,
    payerAddress: payer,
    amount,
    currency: "USDC",
    network,
    settlementStatus: refunded >= amount ? "refunded" : settlementStatus,
    settlementTxHash: txHash,
    failureCode: view.failureCode,
    stillValidUntil: view.stillValidUntil,
    refundedAmount: refunded,
    sourceType: received.source,
    description,
    paymentLinkId: received.linkId,
    payerEmail: null,
    payTo: payee,
    settlementId,
    receiptUrl: view.receiptUrl,
    createdAt: received.createdAt,
    ...toSoldFields(received, sellerFields),
  };
};

/** What was sold, on a receipt: as of the sale. */
export type SoldWith = {
  image: ShownImage | null;
  quantity: number;
  answers: readonly BuyerAnswer[];
} & Record<ReceiptText, string | null>;

/** The buyer's answers only for the buyer: anybody may read a receipt. */
export const toSoldWith = (
  { image, quantity, answers: buyerAnswers, ...texts }: SoldRow,
  { baseUrl, isBuyer }: { baseUrl: string; isBuyer: boolean },
): SoldWith => ({
  ...texts,
  image: image && shownImage(baseUrl, image),
  quantity: quantity ?? 1,
  answers: isBuyer ? (buyerAnswers ?? []) : [],
});
