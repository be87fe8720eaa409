import { z } from "zod";
import { approvalId, toApprovalRequired } from "@/lib/approvals/contract";
import { approvalErrors } from "@/lib/approvals/errors";
import { pay } from "@/lib/approvals/pay/service";
import { hostOfResource } from "@/lib/core/host";
import { formatUsdc } from "@/lib/core/money";
import type { SignedPayment } from "@/lib/payments/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import { purchaseErrors } from "./errors";
import type { Offer } from "./offers";

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
});

export type StoredApproval = z.output<typeof storedApproval>;

/** Requests the user's approval of the payment that `offer` requires. Throws rate_limited, firewall_blocked. */
export async function requestApproval(ctx: Ctx<Agent>, { amount, network, terms }: Offer): Promise<StoredApproval> {
  const result = await pay(ctx, { ...terms, means: "usdc" });
  if (result.type === "signed") throw new Error("a payment was signed before its approval");
  const required = toApprovalRequired(result, ctx.config.baseUrl, ctx.actor.ownerId !== null);
  return {
    approvalId: required.approvalId,
    approvalUrl: required.approvalUrl,
    expiresAt: required.expiresAt,
    amount: amount.toString(),
    amountFormatted: formatUsdc(amount),
    network,
    payTo: terms.payTo,
    host: hostOfResource(terms.resource) ?? "",
  };
}

/** `changed`: the seller no longer offers the payment that the user was asked to approve. */
export type Redeemed = { type: "signed"; signed: SignedPayment; offer: Offer } | Unsigned;
type Unsigned = { type: "pending" | "expired" | "changed" };

/** Signs the approved payment, once. Throws approval_denied, approval_used, firewall_blocked. */
export async function redeemApproval(
  ctx: Ctx<Agent>,
  { approvalId: id }: StoredApproval,
  offers: readonly Offer[],
): Promise<Redeemed> {
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

/** The pending approval of a purchase that no mandate covers, or a new one. Throws offer_changed. */
export async function approvalFor(
  ctx: Ctx<Agent>,
  offer: Offer,
  earlier: { approval: StoredApproval; state: Unsigned["type"] } | null,
): Promise<StoredApproval> {
  if (earlier?.state === "changed") throw purchaseErrors.offer_changed();
  return earlier?.state === "pending" ? earlier.approval : requestApproval(ctx, offer);
}

export const wordsForApproval = ({ amountFormatted, host }: StoredApproval) => ({
  message: `No mandate covers this payment. The user must approve ${amountFormatted} USDC for ${host}. Nothing was signed`,
  nextStep:
    "Show the user approvalUrl. After they approve, repeat the call with the same idempotencyKey and the same request: it pays. An expired link is replaced by the same call",
});
