import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { endpoint } from "@/lib/core/endpoint";
import { agentId } from "@/lib/core/id-text";
import { positiveAmount } from "@/lib/core/money";
import { type CursorPage, cursorText, encodeCursor } from "@/lib/core/page";
import { isoDate } from "@/lib/core/time-text";
import { proofErrors, transferErrors } from "@/lib/settlements/errors";
import { paymentResponses, settlementResult } from "@/lib/settlements/responses";
import { movementResponses } from "@/lib/wallets/contract";
import { walletErrors } from "@/lib/wallets/errors";
import { type Credits, formatCredits } from "@/lib/x402/credits";
import { creditErrors } from "./errors";
import type { CreditMove } from "./store";

/** Adds credits, one per USDC, to the account of the agent's owner. */
export const topUp = endpoint({
  method: "POST",
  path: "/api/credits/top-up",
  summary: "Buy service credits for the owner of an agent; paid by x402",
  stores: "paid",
  auth: "none",
  surface: "resource",
  work: 4,
  body: z.object({ amount: positiveAmount, agentId: agentId.optional() }),
  response: paymentResponses(settlementResult, {}),
  errors: { ...creditErrors.table, ...proofErrors },
});

export const buyCredits = endpoint({
  method: "POST",
  path: "/api/credits/purchases",
  summary:
    "Buy service credits from the owner's spending wallet on Base, with a signature of the owner's wallet. 202 while the purchase is pending",
  work: 40,
  auth: "owner",
  surface: "wallet",
  body: z.object({ amount: positiveAmount, ...withSignature.shape }),
  response: movementResponses,
  errors: {
    invalid_amount: creditErrors.table.INVALID_AMOUNT,
    insufficient_balance: walletErrors.table.insufficient_balance,
    settlement_failed: walletErrors.table.settlement_failed,
    ...transferErrors,
    ...confirmErrors,
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
