import { hostOfResource } from "@/lib/core/host";
import type { PaymentId } from "@/lib/core/ids";
import { isRefusalOfContract } from "@/lib/mandates/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import { getForAgent } from "../service";
import { mayMeanContract, REASON_MAX } from "./rules";

/**
 * Handles a seller's refusal of a payment proof. If the only possible reason is that a vault made the payment, records the refusal
 * and pays the seller from the vault's pocket from then on. Returns whether it does. Throws payment_not_found, ChainUnavailable.
 */
export const reportRefusal = (ctx: Ctx<Agent>, id: PaymentId, reason: string): Promise<boolean> =>
  remember(ctx, id, reason, () => false);

/** `reportRefusal` for a proof that the service itself presented at `url`. */
export const witnessRefusal = (ctx: Ctx<Agent>, id: PaymentId, reason: string, url: URL): Promise<boolean> =>
  // A seller may name a resource on another host, and that host has refused nothing.
  remember(ctx, id, reason, (host) => hostOfResource(url.href) === host);

async function remember(
  ctx: Ctx<Agent>,
  id: PaymentId,
  reason: string,
  isWitnessedAt: (host: string) => boolean,
): Promise<boolean> {
  const payment = await getForAgent(ctx, id);
  const { mandateId, network, host, payer: from, payee: to, amount: value, validAfter, validBefore, nonce } = payment;
  const isOpen = payment.status === "signed" || payment.status === "submitted";
  if (mandateId === null || !isOpen || !mayMeanContract(reason)) return false;
  const authorization = { from, to, value, validAfter, validBefore, nonce };
  const truncatedReason = [...reason].slice(0, REASON_MAX).join("");
  const seller = { network, host };
  const refusedPayment = { mandateId, paymentId: id, seller, authorization, isWitnessed: isWitnessedAt(host) };
  return isRefusalOfContract(ctx, refusedPayment, truncatedReason);
}
