import { z } from "zod";
import type { Address } from "@/lib/core/address";
import { AppError } from "@/lib/core/errors";
import { type CreditTransactionId, id, type MandateId, type PaymentId } from "@/lib/core/ids";
import { unixSeconds } from "@/lib/core/time";
import * as credits from "@/lib/credits/service";
import * as identity from "@/lib/identity/service";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { settlementErrors } from "@/lib/settlements/errors";
import { CREDITS, type CreditRequirement } from "@/lib/x402/credits";
import { paymentErrors } from "./errors";
import { changeAll } from "./jobs";
import { afterSpending, type CreditAsk, type CreditMismatch, creditMismatch, creditOrderOf } from "./rules";
import { assertUnsuspicious, reserve } from "./service";
import * as store from "./store";

const claims = z.object({
  aud: z.string(),
  jti: id("payment"),
  amount: z.string(),
  resource: z.string(),
  exp: z.int(),
});

export type SignedCredits = { paymentId: PaymentId; jws: string; expiresAt: number };

/**
 * Signs a payment in service credits, charged to the mandate at its worth in USDC. Nothing is taken from the owner's
 * credits before it is presented. Throws what is wrong with the ask, refuses the charge, or insufficient_credits.
 */
export async function signCredits(ctx: Ctx<Agent>, mandateId: MandateId, asked: CreditAsk): Promise<SignedCredits> {
  const order = creditOrderOf(asked, { service: ctx.config.firewallId, treasury: ctx.config.treasury });
  if (typeof order === "string") throw paymentErrors[order]();
  assertUnsuspicious(ctx, asked);
  const { paymentId, at } = await reserve(ctx, mandateId, order, async () => {
    const { ownerId } = ctx.actor;
    if (ownerId && (await credits.balanceOf(ctx.db, ownerId)) < order.credits)
      throw paymentErrors.insufficient_credits();
  });
  const iat = unixSeconds(at);
  const expiresAt = iat + order.windowSeconds;
  const jws = await identity.signCreditPayment(ctx, {
    iss: ctx.config.baseUrl,
    sub: ctx.actor.agentId,
    aud: order.service,
    jti: paymentId,
    mandateId,
    network: CREDITS.network,
    asset: CREDITS.asset,
    amount: order.credits.toString(),
    resource: order.resource,
    iat,
    exp: expiresAt,
  } satisfies z.input<typeof claims> & Record<string, unknown>);
  return { paymentId, jws, expiresAt };
}

export type CreditRefusal = CreditMismatch | "PAYMENT_SIGNATURE_INVALID" | "INSUFFICIENT_CREDITS";
export type PaidInCredits = { transactionId: CreditTransactionId; payer: Address };

/**
 * Takes a payment in service credits, once: the owner's credits, the agent's budget and what `accept` makes of it change
 * in one transaction, or nothing does. `accept` is called with a good proof, before anything is taken. Throws
 * PAYMENT_ALREADY_USED, and SETTLEMENT_UNKNOWN when the database went away in mid-commit.
 */
export async function takeCredits(
  system: System,
  jws: string,
  wanted: CreditRequirement,
  accept: (paymentId: PaymentId) => (tx: Tx) => Promise<void>,
): Promise<PaidInCredits | CreditRefusal> {
  const read = claims.safeParse(await identity.creditPayment(system, jws));
  if (!read.success) return "PAYMENT_SIGNATURE_INVALID";
  const { jti: paymentId } = read.data;
  const payment = await store.find(system.db, paymentId);
  if (payment?.status === "settled") throw alreadyUsed(paymentId);
  const at = system.now();
  const why = creditMismatch(read.data, wanted, at);
  if (why) return why;
  const alongside = accept(paymentId);
  const taken = system.db.transaction(async (tx) => {
    const [owned] = await store.lockOpen(tx, [paymentId]);
    // Spent or given back by somebody who was faster.
    if (!owned) return (await store.find(tx, paymentId))?.status === "settled" ? "used" : "PAYMENT_EXPIRED";
    const spending = { ownerId: owned.ownerId, paymentId, service: wanted.payTo, amount: wanted.amount };
    const transactionId = await credits.spend(tx, spending, at);
    if (!transactionId) return "INSUFFICIENT_CREDITS";
    await changeAll(tx, [owned], at, () => afterSpending(at));
    await alongside(tx);
    return { transactionId, payer: owned.payment.payer };
  });
  const outcome = await taken.catch((thrown: unknown) => {
    if (thrown instanceof AppError) throw thrown;
    throw settlementErrors.SETTLEMENT_UNKNOWN({ paymentRecordId: paymentId }, thrown);
  });
  if (outcome === "used") throw alreadyUsed(paymentId);
  return outcome;
}

const alreadyUsed = (paymentRecordId: PaymentId) =>
  settlementErrors.PAYMENT_ALREADY_USED({ paymentRecordId, settlementStatus: "settled", txHash: null });
