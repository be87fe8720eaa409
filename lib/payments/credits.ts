import { z } from "zod";
import { runAttempt } from "@/lib/attempts/service";
import { id } from "@/lib/core/id-text";
import type { MandateId, PaymentId } from "@/lib/core/ids";
import { unixSeconds } from "@/lib/core/time";
import * as credits from "@/lib/credits/service";
import { isScanUrl } from "@/lib/firewall/service";
import * as identity from "@/lib/identity/service";
import { chargeable, charging, untilWritten } from "@/lib/mandates/reservations/service";
import { batchedOn } from "@/lib/platform/batch";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import { settlementErrors } from "@/lib/settlements/errors";
import { CREDITS, type CreditRequirement } from "@/lib/x402/credits";
import { paymentErrors } from "./errors";
import {
  type CreditMismatch,
  type CreditPaymentRequest,
  creditMismatch,
  creditOrderOf,
  type SignedCredits,
} from "./rules";
import { assertUnsuspicious, draftOf, writeDraft } from "./sign";
import * as store from "./store";
import { type PaidInCredits, type Sold, takeOnce } from "./take-credits";

const claims = z.object({
  aud: z.string(),
  jti: id("payment"),
  amount: z.string(),
  resource: z.string(),
  exp: z.int(),
});

/**
 * Signs a payment in service credits. Its value in USDC is reserved in the mandate's budget now; the owner's credits are spent when
 * the proof is presented. Throws the request's errors, the reason why the mandate does not pay, and insufficient_credits.
 */
export async function signCredits(
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  request: CreditPaymentRequest,
): Promise<SignedCredits> {
  const order = creditOrderOf(request, { service: ctx.config.firewallId, treasury: ctx.config.treasury });
  if (typeof order === "string") throw paymentErrors[order]();
  // Only scans accept service credits: for another URL the reservation would block the budget for nothing.
  if (!isScanUrl(ctx, order.resource)) throw paymentErrors.unknown_service();
  const draft = draftOf(ctx, order, order.service);
  const { paymentId } = draft;
  await runAttempt(ctx, { ...order, mandateId, payTo: order.service, network: CREDITS.network }, () =>
    untilWritten(async () => {
      const { mandate, wallet } = await chargeable(ctx, mandateId, order);
      assertUnsuspicious(ctx, request);
      const { ownerId } = ctx.actor;
      if (ownerId && (await credits.balanceOf(ctx.db, ownerId)) < order.credits)
        throw paymentErrors.insufficient_credits();
      return (
        (await writeDraft(ctx, draft, wallet, charging(mandate, { amount: order.amount, time: draft.at }))) || null
      );
    }),
  );
  const iat = unixSeconds(draft.at);
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

/** Throws PAYMENT_ALREADY_USED if this payment in service credits was used before. */
export async function assertUnusedCredits(system: System, jws: string): Promise<void> {
  const parsed = claims.safeParse(await identity.creditPayment(system, jws));
  if (parsed.success && (await isSettled(system.db, parsed.data.jti))) throw alreadyUsed(parsed.data.jti);
}

const isSettled = batchedOn((db) => async (ids: readonly PaymentId[]): Promise<boolean[]> => {
  const settled = await store.settledAmong(db, ids);
  return ids.map((id) => settled.has(id));
});

/**
 * Takes a payment in service credits once. `accept` is called with a valid proof, before anything is written; what it
 * returns is stored in the transaction that spends the owner's credits and commits the reservation. Throws
 * PAYMENT_ALREADY_USED, and SETTLEMENT_UNKNOWN if the transaction may have been committed.
 */
export async function takeCredits<Row>(
  system: System,
  jws: string,
  requirement: CreditRequirement,
  accept: (paymentId: PaymentId) => Sold<Row>,
): Promise<{ type: "taken"; paid: PaidInCredits } | { type: "refused"; code: CreditRefusal }> {
  const parsed = claims.safeParse(await identity.creditPayment(system, jws));
  if (!parsed.success) return { type: "refused", code: "PAYMENT_SIGNATURE_INVALID" };
  const { jti: paymentId } = parsed.data;
  // Checked first: a used proof must get this answer even if it has expired or the price has changed since.
  if (await isSettled(system.db, paymentId)) throw alreadyUsed(paymentId);
  const time = system.now();
  const reason = creditMismatch(parsed.data, requirement, time);
  if (reason) return { type: "refused", code: reason };
  const { payTo: service, amount } = requirement;
  const outcome = await takeOnce(system.db, { paymentId, service, amount, at: time, sold: accept(paymentId) });
  switch (outcome.type) {
    case "taken":
    case "refused":
      return outcome;
    case "used":
      throw alreadyUsed(paymentId);
    case "unknown":
      throw unknownEnd(paymentId, outcome.cause);
    default:
      return outcome satisfies never;
  }
}

const alreadyUsed = (paymentRecordId: PaymentId) =>
  settlementErrors.PAYMENT_ALREADY_USED({
    message:
      "This payment in service credits was used before. Do not sign again: read the payment record paymentRecordId",
    paymentRecordId,
    settlementStatus: "settled",
    txHash: null,
  });

const unknownEnd = (paymentRecordId: PaymentId, cause: unknown) =>
  settlementErrors.SETTLEMENT_UNKNOWN(
    {
      message:
        "It is not known whether these service credits were spent. Do not sign again: send the same proof and body once more, or read the payment record paymentRecordId",
      paymentRecordId,
    },
    cause,
  );
