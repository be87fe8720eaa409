import { z } from "zod";
import { approvalId, toApprovalRequired } from "@/lib/approvals/contract";
import { approvalErrors } from "@/lib/approvals/errors";
import { pay } from "@/lib/approvals/pay/service";
import { hostOfResource } from "@/lib/core/host";
import { formatUsdc } from "@/lib/core/money";
import type * as payments from "@/lib/payments/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import { toSummaryJson } from "@/lib/platform/summary";
import type { PurchaseOffer } from "./offers";

/** A request for the user's approval of a purchase's payment. The token in its link is stored nowhere else. */
export const storedApproval = z.object({
  approvalId,
  approvalUrl: z.string(),
  /** Unix seconds. */
  expiresAt: z.number(),
  amount: z.string(),
  amountFormatted: z.string(),
  network: z.string(),
  payTo: z.string(),
  host: z.string(),
  summary: z.record(z.string(), z.unknown()),
});

export type StoredApproval = z.output<typeof storedApproval>;

/** Requests the user's approval of the payment that `offer` requires. Throws rate_limited, firewall_blocked. */
export async function requestApproval(
  ctx: Ctx<Agent>,
  { amount, network, terms }: PurchaseOffer,
): Promise<StoredApproval> {
  const result = await pay(ctx, { ...terms, means: "usdc" }, { isForMandate: true });
  if (result.type === "signed") throw new Error("a payment was signed before its approval");
  const required = toApprovalRequired(result, ctx.config.baseUrl, { isLinked: ctx.actor.ownerId !== null });
  return {
    approvalId: required.approvalId,
    approvalUrl: required.approvalUrl,
    expiresAt: required.expiresAt,
    amount: amount.toString(),
    amountFormatted: formatUsdc(amount),
    network,
    payTo: terms.payTo,
    host: hostOfResource(terms.resource) ?? "",
    summary: toSummaryJson(required.summary),
  };
}

/** `changed`: the seller no longer offers the payment that the user was asked to approve. */
export type RedeemedApproval =
  | { type: "signed"; signed: payments.SignedPayment; offer: PurchaseOffer }
  | { type: "pending" | "expired" | "changed" };

/** Signs the approved payment, once. Throws approval_denied, approval_used, firewall_blocked. */
export async function redeemApproval(
  ctx: Ctx<Agent>,
  { approvalId: id }: StoredApproval,
  offers: readonly PurchaseOffer[],
): Promise<RedeemedApproval> {
  for (const offer of offers) {
    try {
      const result = await pay(ctx, { ...offer.terms, means: "usdc", approvalId: id });
      return result.type === "signed" ? { type: "signed", signed: result, offer } : { type: "pending" };
    } catch (error) {
      if (approvalErrors.approval_expired.is(error)) return { type: "expired" };
      if (!approvalErrors.approval_mismatch.is(error)) throw error;
    }
  }
  return { type: "changed" };
}
