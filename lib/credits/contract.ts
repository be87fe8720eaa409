import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { endpoint } from "@/lib/core/endpoint";
import { agentId } from "@/lib/core/id-text";
import { positiveAmount } from "@/lib/core/money";
import { type CursorPage, cursorText, encodeCursor } from "@/lib/core/page";
import { isoDate } from "@/lib/core/time-text";
import { mandateErrors } from "@/lib/mandates/errors";
import * as sample from "@/lib/samples";
import { proofErrors, transferErrors } from "@/lib/settlements/errors";
import { paymentResponses, settlementResult } from "@/lib/settlements/responses";
import { movementResponses } from "@/lib/wallets/contract";
import { walletErrors } from "@/lib/wallets/errors";
import { type Credits, formatCredits } from "@/lib/x402/credits";
import { creditErrors } from "./errors";
import type { CreditMove } from "./store";

const movementExample = {
  ...sample.OK,
  settlementId: sample.SETTLEMENT,
  settlementStatus: "settled",
  txHash: sample.TX_HASH,
  amount: "1000000",
};

/** Adds credits, one per USDC, to the account of the agent's owner. */
export const topUp = endpoint({
  method: "POST",
  path: "/api/credits/top-up",
  summary: "Buy service credits for the owner of an agent; paid by x402",
  description:
    "Anybody may pay; the credits belong to the owner of the agent in `agentId` or `X-Agent-ID`. One USDC is one credit, in whole cents. Without a payment, the answer is 402 with the price.",
  stores: "paid",
  auth: "none",
  surface: "resource",
  work: 4,
  body: z.object({ amount: positiveAmount, agentId: agentId.optional() }),
  response: paymentResponses(settlementResult, {}),
  errors: { ...creditErrors.table, ...proofErrors },
  example: { request: { amount: "1000000" }, responses: { 200: sample.settledPayment, 202: sample.pending } },
});

export const buyCredits = endpoint({
  method: "POST",
  path: "/api/credits/purchases",
  summary:
    "Buy service credits from the owner's spending wallet on Base, with a signature of the owner's wallet. 202 while the purchase is pending",
  description:
    "One USDC is one credit, in whole cents. Credits pay for this service's own scans without a transfer for each, and cannot be turned back into USDC. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  work: 40,
  auth: "owner",
  surface: "wallet",
  body: z.object({ amount: positiveAmount, ...withSignature.shape }),
  response: movementResponses,
  errors: {
    invalid_amount: creditErrors.table.INVALID_AMOUNT,
    insufficient_balance: walletErrors.table.insufficient_balance,
    settlement_failed: walletErrors.table.settlement_failed,
    owner_limit_reached: mandateErrors.table.owner_limit_reached,
    ...transferErrors,
    ...confirmErrors,
  },
  example: {
    request: { amount: "1000000" },
    responses: { 200: movementExample, 202: { ...movementExample, settlementStatus: "pending", txHash: null } },
  },
});

/** Hundredths of a credit; may be negative. */
const credits = z.string().regex(/^-?\d+$/);

const move = z.object({
  transactionId: z.string(),
  kind: z.enum(["top_up", "reversal", "spend"]),
  amount: credits,
  amountFormatted: z.string(),
  settlementId: z.string().nullable(),
  paymentRecordId: z.string().nullable(),
  createdAt: isoDate,
});

export type CreditMoveView = z.output<typeof move>;

export const getCredits = endpoint({
  method: "GET",
  path: "/api/credits",
  summary: "The owner's service credits and their transactions, newest first",
  description:
    "`balance` is in hundredths of a credit. It can be negative after a purchase was undone by the chain whose credits were spent already.",
  auth: "owner",
  surface: "wallet",
  query: z.object({ cursor: cursorText.optional() }),
  response: z.object({
    status: z.literal("ok"),
    balance: credits,
    balanceFormatted: z.string(),
    transactions: z.array(move),
    nextCursor: z.string().nullable(),
  }),
  errors: {},
  example: {
    responses: {
      200: {
        ...sample.OK,
        balance: "99",
        balanceFormatted: "0.99",
        transactions: [
          {
            transactionId: "crd_4hJkL9zXcVbN2mQwErTyU7iO",
            kind: "top_up",
            amount: "100",
            amountFormatted: "1.00",
            settlementId: sample.SETTLEMENT,
            paymentRecordId: null,
            createdAt: sample.CREATED,
          },
        ],
        ...sample.LAST_PAGE,
      },
    },
  },
});

export const toMoveView = (m: CreditMove): CreditMoveView => ({
  transactionId: m.id,
  kind: m.kind,
  amount: m.amount.toString(),
  amountFormatted: formatCredits(m.amount),
  settlementId: m.settlementId,
  paymentRecordId: m.paymentId,
  createdAt: m.createdAt,
});

export const toCreditsResponse = (balance: Credits, { rows, next }: CursorPage<CreditMove>) => ({
  status: "ok" as const,
  balance: balance.toString(),
  balanceFormatted: formatCredits(balance),
  transactions: rows.map(toMoveView),
  nextCursor: next && encodeCursor(next),
});
