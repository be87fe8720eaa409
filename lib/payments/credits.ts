import { z } from "zod";
import { runAttempt } from "@/lib/attempts/service";
import type { Address } from "@/lib/core/address";
import { id } from "@/lib/core/id-text";
import type { CreditTransactionId, MandateId, PaymentId } from "@/lib/core/ids";
import { unixSeconds } from "@/lib/core/time";
import * as credits from "@/lib/credits/service";
import { isScanUrl } from "@/lib/firewall/service";
import * as identity from "@/lib/identity/service";
import { commitAll } from "@/lib/mandates/reservations/ledger";
import { chargeable, charging, untilWritten } from "@/lib/mandates/reservations/service";
import { batchedOn, transactTogether } from "@/lib/platform/batch";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { assertOwnerPays } from "@/lib/screening/service";
import { settlementErrors } from "@/lib/settlements/errors";
import { CREDITS, type CreditRequirement, type Credits } from "@/lib/x402/credits";
import { paymentErrors } from "./errors";
import { recordEnds } from "./events";
import {
  authorizationOf,
  type CreditMismatch,
  type CreditPaymentRequest,
  creditMismatch,
  parseCreditOrder,
  type SignedCredits,
} from "./rules";
import { assertUnsuspicious, draftOf, writeDraft } from "./sign";
import * as store from "./store";

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
  const order = parseCreditOrder(request, { service: ctx.config.firewallId, treasury: ctx.config.treasury });
  if (typeof order === "string") throw paymentErrors[order]();
  // Only scans accept service credits: for another URL the reservation would block the budget for nothing.
  if (!isScanUrl(ctx, order.resource)) throw paymentErrors.unknown_service();
  const draft = draftOf(ctx, order, order.service);
  const { paymentId } = draft;
  await runAttempt(ctx, { ...order, mandateId, payTo: order.service, network: CREDITS.network }, () =>
    untilWritten(async () => {
      const { mandate, wallet } = await chargeable(ctx, mandateId, order);
      // The service itself is paid: only the owner can exclude it.
      await assertOwnerPays(ctx, { payees: [], site: order, wallet });
      assertUnsuspicious(ctx, request);
      const { ownerId } = ctx.actor;
      if (ownerId && (await credits.balanceOf(ctx.db, ownerId)) < order.credits)
        throw paymentErrors.insufficient_credits();
      // The owner's caps counted the credits when they were bought.
      const charged = charging(mandate, { amount: order.amount, time: draft.signedAt, caps: null });
      return (await writeDraft(ctx, draft, wallet, authorizationOf(draft, wallet.address), charged)) || null;
    }),
  );
  const iat = unixSeconds(draft.signedAt);
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
  accept: (paymentId: PaymentId) => CreditSale<Row>,
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
  const outcome = await takeOnce(system.db, { paymentId, service, amount, presentedAt: time, sold: accept(paymentId) });
  switch (outcome.type) {
    case "taken":
    case "refused":
      return outcome;
    case "used":
      throw alreadyUsed(paymentId);
    case "unknown":
      throw settlementErrors.SETTLEMENT_UNKNOWN(
        {
          message:
            "It is not known whether these service credits were spent. Do not sign again: send the same proof and body once more, or read the payment record paymentRecordId",
          paymentRecordId: paymentId,
        },
        outcome.cause,
      );
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

/** The row of a sale. `add` stores the rows of several sales in the transaction that takes their payments. */
export interface CreditSale<Row> {
  row: Row;
  add(tx: Tx, rows: readonly Row[]): Promise<void>;
}

type Taking = { paymentId: PaymentId; service: string; amount: Credits; presentedAt: Date; sold: CreditSale<unknown> };

export type PaidInCredits = { transactionId: CreditTransactionId; payer: Address };

type Taken =
  | { type: "taken"; paid: PaidInCredits }
  /** This or another request took the payment before. */
  | { type: "used" }
  | { type: "refused"; code: "PAYMENT_EXPIRED" | "INSUFFICIENT_CREDITS" }
  /** Its transaction may have been committed. */
  | { type: "unknown"; cause: unknown };

/**
 * Takes a payment in service credits once. Payments that are presented at the same time share a transaction, because those
 * of one mandate or owner would wait for each other's locks.
 */
const takeOnce = batchedOn(
  (db) => (takings: readonly Taking[]) =>
    transactTogether(db, takings, takeIn, (cause): Taken => ({ type: "unknown", cause })),
);

async function takeIn(tx: Tx, takings: readonly Taking[]): Promise<Taken[]> {
  const time = new Date(Math.max(...takings.map((taking) => taking.presentedAt.getTime())));
  const ids = takings.map(({ paymentId }) => paymentId);
  const signed = new Map(
    (await store.listByIds(tx, ids)).map((ownedPayment) => [ownedPayment.payment.id, ownedPayment]),
  );
  const first = new Map<PaymentId, Taking>();
  for (const taking of takings) if (!first.has(taking.paymentId)) first.set(taking.paymentId, taking);
  let spendings: readonly credits.Spending[] = [];
  const isShort = new Set<PaymentId>();
  // Lock order: reservations, mandates, credits; the observer uses the same.
  const committed = await commitAll(
    tx,
    [...signed.values()].map(({ payment }) => payment.reservationId),
    time,
    async (open) => {
      const candidates = [...first.values()].flatMap(({ paymentId, service, amount }) => {
        const ownedPayment = signed.get(paymentId);
        if (!ownedPayment || !open.has(ownedPayment.payment.reservationId)) return [];
        if (!ownedPayment.ownerId) throw new Error(`${paymentId} has no owner`);
        return [{ ownerId: ownedPayment.ownerId, paymentId, service, amount }];
      });
      spendings = await credits.affordable(tx, candidates);
      const isPaid = new Set(spendings.map(({ paymentId }) => paymentId));
      for (const { paymentId } of candidates) if (!isPaid.has(paymentId)) isShort.add(paymentId);
      return new Set(spendings.flatMap(({ paymentId }) => signed.get(paymentId)?.payment.reservationId ?? []));
    },
  );
  const transactions = await credits.spend(tx, spendings, time);
  await recordEnds(tx, committed, time);
  // Each `add` runs once, with all its rows.
  const rows = new Map<CreditSale<unknown>["add"], unknown[]>();
  for (const { add, row } of spendings.flatMap(({ paymentId }) => first.get(paymentId)?.sold ?? [])) {
    rows.set(add, [...(rows.get(add) ?? []), row]);
  }
  for (const [add, saleRows] of rows) await add(tx, saleRows);
  const settled = spendings.length < takings.length ? await store.settledAmong(tx, ids) : new Set();
  return takings.map((taking): Taken => {
    const { paymentId } = taking;
    const [ownedPayment, transactionId] = [signed.get(paymentId), transactions.get(paymentId)];
    if (ownedPayment && transactionId && first.get(paymentId) === taking)
      return { type: "taken", paid: { transactionId, payer: ownedPayment.payment.payer } };
    if (isShort.has(paymentId)) return { type: "refused", code: "INSUFFICIENT_CREDITS" };
    // Another request committed or released the reservation before.
    return settled.has(paymentId) ? { type: "used" } : { type: "refused", code: "PAYMENT_EXPIRED" };
  });
}
