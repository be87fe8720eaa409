import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { agentId, id } from "@/lib/core/id-text";
import { amount, formatUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { isoDate } from "@/lib/core/time-text";
import { mandateId } from "@/lib/mandates/responses";
import { type ApprovalSummary, approvalSummary } from "@/lib/platform/summary";
import { failureOf, toSettlementView, visibleTxHash } from "@/lib/settlements/contract";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { PAYOUT_STATUSES, statusOf } from "./rules";
import type { PayoutView } from "./views";

const leg = z.object({
  index: z.int(),
  toAddress: addressText,
  amount,
  amountFormatted: z.string(),
  shareBps: z.int().nullable(),
  /** Null before it is approved. */
  status: z.enum(["pending", "settled", "failed"]).nullable(),
  txHash: z.string().nullable(),
  failureCode: z.string().nullable(),
  /** Until when a transfer that the service stopped submitting can still be made. */
  stillValidUntil: isoDate.nullable(),
  settlementId: id("settlement").nullable(),
  receiptUrl: z.string().nullable(),
});

export const payoutView = z.object({
  payoutId: z.string(),
  /** The service's own id, used by the owner's endpoints. */
  payoutRecordId: id("payout"),
  status: z.enum(PAYOUT_STATUSES),
  txHash: z.string().nullable(),
  /** Null when there are several recipients: `legs` has them. */
  toAddress: addressText.nullable(),
  amount,
  amountFormatted: z.string(),
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  assetAddress: addressText,
  agentId: agentId.nullable(),
  agentName: z.string().nullable(),
  mandateId: mandateId.nullable(),
  bizId: z.string().nullable(),
  description: z.string(),
  legs: z.array(leg),
  failureReason: z.string().nullable(),
  /** Where the owner decides; null afterwards. */
  approvalUrl: z.string().nullable(),
  /** Until when it can be approved, in Unix seconds. */
  expiresAt: z.number(),
  createdAt: isoDate,
  approvedAt: isoDate.nullable(),
  executedAt: isoDate.nullable(),
  /** Blocks from its newest transfer to the newest block that was read; null until all transfers are settled. */
  confirmations: z.int().nullable(),
});

export type PayoutItem = z.output<typeof payoutView>;
/** The fields appear twice, for clients that read `payout` and for clients that do not. */
export const payoutResponse = payoutView.extend({
  payout: payoutView,
  summary: approvalSummary.nullable().describe("What the owner is asked; null if the payout does not wait for them"),
});
/** The fields that anyone with the payoutId may read. */
const redacted = payoutView.pick({ payoutId: true, status: true, txHash: true });
export const redactedResponse = redacted.extend({ payout: redacted });
/** `token`: that of the approvalUrl, for the agent that created the payout; otherwise null. With it a visitor may link the agent. */
export function toPayoutItem(
  { payout: p, agentName, legs, readTo }: PayoutView,
  baseUrl: string,
  now: Date,
  token: string | null = null,
): PayoutItem {
  const transfers = legs.flatMap((fullLeg) => (fullLeg.transfer ? [fullLeg.transfer] : []));
  const settled = transfers.filter((transfer) => transfer.state === "settled");
  const isAllMoved = legs.length > 0 && settled.length === legs.length;
  const status = statusOf(p, transfers, now);
  const submitted = transfers.find((transfer) => visibleTxHash(transfer) !== null);
  const causes = transfers.map(failureOf).filter((code) => code !== null);
  const endTimes = settled.flatMap(({ endedAt }) => endedAt?.getTime() ?? []);
  // Of the newest transfer, in blocks; not above zero while a reorganisation is being undone.
  const depths = settled.map(({ blockNumber }) => (readTo === null ? 0 : Number(readTo - (blockNumber ?? readTo)) + 1));
  const depth = Math.min(...depths);
  const [only] = legs;
  const approvalUrl = `${baseUrl}/authorize/payout/${p.id}${token === null ? "" : `?token=${token}`}`;
  return {
    payoutId: p.payoutId,
    payoutRecordId: p.id,
    status,
    txHash: (settled[0] ?? submitted)?.txHash ?? null,
    toAddress: legs.length === 1 && only ? only.leg.toAddress : null,
    amount: p.amount,
    amountFormatted: formatUsdc(p.amount),
    currency: "USDC",
    network: p.network,
    assetAddress: NETWORKS[p.network].usdc,
    agentId: p.agentId,
    agentName,
    mandateId: p.mandateId,
    bizId: p.bizId,
    description: p.description,
    legs: legs.map(({ leg, transfer }) => {
      const view = transfer && toSettlementView(transfer, baseUrl);
      return {
        index: leg.index,
        toAddress: leg.toAddress,
        amount: leg.amount,
        amountFormatted: formatUsdc(leg.amount),
        shareBps: leg.shareBps,
        status: view?.settlementStatus ?? null,
        txHash: view?.txHash ?? null,
        failureCode: view?.failureCode ?? null,
        stillValidUntil: view?.stillValidUntil ?? null,
        settlementId: leg.settlementId,
        receiptUrl: view?.receiptUrl ?? null,
      };
    }),
    // The cause is the refused leg; the other legs of its group fail with GROUP_FAILED.
    failureReason: status === "failed" ? (causes.find((code) => code !== "GROUP_FAILED") ?? causes[0] ?? null) : null,
    approvalUrl: status === "pending_authorization" ? approvalUrl : null,
    expiresAt: unixSeconds(p.expiresAt),
    createdAt: p.createdAt,
    approvedAt: p.approvedAt,
    executedAt: isAllMoved && endTimes.length > 0 ? new Date(Math.max(...endTimes)) : null,
    confirmations: isAllMoved && depth > 0 ? depth : null,
  };
}

export const toPayoutResponse = (
  item: PayoutItem,
  summary: ApprovalSummary | null,
): z.output<typeof payoutResponse> => ({ ...item, payout: item, summary });

export const toRedactedResponse = ({ payoutId, status, txHash }: PayoutItem): z.output<typeof redactedResponse> => ({
  payoutId,
  status,
  txHash,
  payout: { payoutId, status, txHash },
});
