import { z } from "zod";
import { addressText } from "@/lib/core/address";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/ids";
import { amount } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { settlementErrors } from "./errors";
import { publicStatus } from "./rules";
import type { Settlement } from "./store";

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
  failureCode: z.string().nullable(),
  blockNumber: z.string().nullable(),
  createdAt: isoDate,
  endedAt: isoDate.nullable(),
  receiptUrl: z.string(),
});

export type SettlementView = z.output<typeof settlementView>;

export const receiptUrl = (baseUrl: string, settlementId: string) => `${baseUrl}/receipt/${settlementId}`;

export const presentSettlement = (row: Settlement, baseUrl: string): SettlementView => ({
  settlementId: row.id,
  settlementStatus: publicStatus(row.state),
  // A hash of ours that never moved the money would read like a receipt.
  txHash: row.state === "failed" ? null : row.txHash,
  network: row.network,
  payer: row.payer,
  payee: row.payee,
  amount: row.amount,
  asset: row.asset,
  purpose: row.purpose,
  resource: row.resource,
  description: row.description,
  failureCode: row.failureCode,
  blockNumber: row.blockNumber?.toString() ?? null,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
  receiptUrl: receiptUrl(baseUrl, row.id),
});

const answer = settlementView.extend({
  status: z.literal("ok"),
  /** What was bought at a payment link, for whoever has the key that its buyer was told. */
  content: z.string().nullable().optional(),
  /** Where that link sends its buyers, for the same. */
  redirectUrl: z.string().optional(),
});

export const getSettlement = endpoint({
  method: "GET",
  path: "/api/settlements/{settlementId}",
  summary: "How a presented payment ended, or that it has not yet",
  auth: "none",
  surface: "resource",
  params: z.object({ settlementId: id("settlement") }),
  query: z.object({ key: z.string("must be given once").max(200, "must have at most 200 characters").optional() }),
  response: answer,
  errors: settlementErrors.table,
});
