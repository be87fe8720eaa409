import type { PaymentId } from "@/lib/core/ids";
import { isRefusalOfContract } from "@/lib/mandates/vaults/refused";
import type { Agent, Ctx } from "@/lib/platform/context";
import { getForAgent } from "../service";
import { mayMeanContract, REASON_MAX } from "./rules";

/**
 * Records that the seller refused the proof of a payment, in the seller's words. If a vault made the payment and only that can have
 * been the reason, the seller is paid through the vault's pocket from then on. Returns whether it is. Throws payment_not_found,
 * ChainUnavailable.
 */
export async function reportRefusal(ctx: Ctx<Agent>, id: PaymentId, reason: string): Promise<boolean> {
  const payment = await getForAgent(ctx, id);
  const { mandateId, network, host, payer: from, payee: to, amount: value, validAfter, validBefore, nonce } = payment;
  const isOpen = payment.status === "signed" || payment.status === "submitted";
  if (mandateId === null || !isOpen || !mayMeanContract(reason)) return false;
  const authorization = { from, to, value, validAfter, validBefore, nonce };
  const kept = [...reason].slice(0, REASON_MAX).join("");
  return isRefusalOfContract(ctx, { mandateId, paymentId: id, seller: { network, host }, authorization }, kept);
}
