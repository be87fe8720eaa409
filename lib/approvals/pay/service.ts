import { hash } from "node:crypto";
import * as agents from "@/lib/agents/service";
import { runAttempt } from "@/lib/attempts/service";
import type { AppError } from "@/lib/core/errors";
import { type ApprovalId, newId, randomText } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import { assertWithin, capsOf, findExceededCap, waitingMaxOf } from "@/lib/mandates/caps/charge";
import { mandateErrors } from "@/lib/mandates/errors";
import { untilWritten } from "@/lib/mandates/service";
import { paymentErrors } from "@/lib/payments/errors";
import * as payments from "@/lib/payments/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { type ApprovalSummary, summarize, toSummaryJson } from "@/lib/platform/summary";
import { assertPayable } from "@/lib/screening/service";
import * as wallets from "@/lib/wallets/service";
import type { PaymentRequestV1 } from "../contract";
import { approvalErrors } from "../errors";
import {
  type Approval,
  type ApprovalRequired,
  askedWords,
  closing,
  differences,
  statusOf,
  termsOf,
  usableUntil,
} from "../rules";
import * as store from "../store";

/**
 * With an approvalId, signs the approved payment once, or returns the approval while it is pending. Without one, creates an approval
 * for a person to decide. `isForMandate`: the caller pays under a mandate as soon as one can, and the approval is over then. Throws the
 * request's errors and the reason why the approval cannot be used.
 */
export async function pay(
  ctx: Ctx<Agent>,
  request: PaymentRequestV1,
  { isForMandate = false } = {},
): Promise<payments.SignedPayment | ApprovalRequired> {
  if (request.means === "credits") throw paymentErrors.unsupported_network({ message: CREDITS_NEED_A_MANDATE });
  const order = payments.requireOrder(request);
  const assertAllowed = (wallet: wallets.Wallet | null) =>
    runAttempt(ctx, { ...order, mandateId: null }, async () => {
      await assertPayable(ctx, { payees: [order.payTo], site: order, wallet });
      payments.assertUnsuspicious(ctx, request);
    });
  if (request.approvalId !== undefined) return redeem(ctx, request.approvalId, order, assertAllowed);
  const wallet = await ownersWallet(ctx, order);
  await assertAllowed(wallet);
  return requestApproval(ctx, order, { wallet, isForMandate });
}

/**
 * A payment under a mandate that is above the owner's caps becomes one that a person approves, and is then paid without the mandate. The
 * agent sends the same request again, so the same terms wait once: until they are decided this returns the same approval, and for the
 * rest of its ten minutes a denied one is refused. The mandate's checks have accepted the order. Throws owner_limit_reached,
 * mandate_changed, rate_limited.
 */
export async function payAbove(
  ctx: Ctx<Agent>,
  { order, refusal, fits }: payments.AboveCaps,
): Promise<payments.SignedPayment | ApprovalRequired> {
  const asked = await store.findAsked(ctx.db, ctx.actor.agentId, termsOf(order), ctx.now());
  // Another request has used the approval meanwhile: nobody is asked for a payment that fits.
  if (!asked && fits) throw refusal;
  if (!asked)
    return requestApproval(ctx, order, { wallet: await ownersWallet(ctx, order), isForMandate: true, isJoined: true });
  if (closing(asked, ctx.now())) throw denied();
  if (asked.afterReservation === null) await store.expectMandate(ctx.db, asked.id);
  const assertAllowed = (wallet: wallets.Wallet | null) =>
    assertPayable(ctx, { payees: [order.payTo], site: order, wallet });
  const outcome = await signApproved(ctx, asked, order, assertAllowed);
  // Another request has used it meanwhile.
  if (outcome.type === "closed") throw refusal;
  return outcome;
}

/** For `payAbove`: whether it would sign what a person has approved. */
export const isApproved =
  (ctx: Ctx<Agent>): payments.IsApproved =>
  async (order) => {
    const asked = await store.findAsked(ctx.db, ctx.actor.agentId, termsOf(order), ctx.now());
    return asked !== null && statusOf(asked, ctx.now()) === "approved";
  };

const ownersWallet = async (ctx: Ctx<Agent>, { network }: payments.PaymentOrder): Promise<wallets.Wallet | null> =>
  ctx.actor.ownerId ? wallets.spendingWallet(ctx, ctx.actor.ownerId, network) : null;

/** Waiting changes nothing: the owner was asked. */
const denied = () =>
  mandateErrors.owner_limit_reached({
    message:
      "The payment is above the owner's limit, and they did not approve it. Do not send it again unless they ask you to",
    canAsk: false,
    availableAt: null,
  });

const CREDITS_NEED_A_MANDATE =
  "Service credits can be spent only under a mandate: use POST /api/payment/x402V3Payment, or pay the offer in USDC";

/** `wallet`: the owner's, if there is an owner. `isJoined`: the same terms that another request has asked for meanwhile are not asked for again. */
async function requestApproval(
  ctx: Ctx<Agent>,
  order: payments.PaymentOrder,
  {
    wallet,
    isForMandate,
    isJoined = false,
  }: { wallet: wallets.Wallet | null; isForMandate: boolean; isJoined?: boolean },
): Promise<ApprovalRequired> {
  const { agentId, ownerId } = ctx.actor;
  await limit(ctx, "approval_per_agent", agentId);
  const token = randomText();
  const time = ctx.now();
  const { network, amount, payTo, resource } = order;
  const caps = wallet ? await capsOf(ctx, wallet, agentId) : [];
  assertWithin(caps, { amount, time, isApproved: true });
  const waitingMax = waitingMaxOf(caps, amount, time);
  return ctx.db.transaction(async (tx): Promise<ApprovalRequired> => {
    const waiting = waitingMax > 0 ? await store.countWaitingAbove(tx, agentId, time) : 0;
    const asked = isJoined ? await store.findAsked(tx, agentId, termsOf(order), time) : null;
    if (asked) return { type: "unapproved", approval: asked, summary: await summaryOf(ctx, tx, asked), token: null };
    if (waitingMax > 0 && waiting >= waitingMax)
      throw mandateErrors.owner_limit_reached({
        message: `Payments above the owner's limit wait for a person, and ${waitingMax} of this agent are waiting. Send this one again once they are decided`,
        waitingMax,
      });
    const id = newId("approval");
    const row = {
      ...termsOf(order),
      id,
      agentId,
      tokenHash: hash("sha256", token, "hex"),
      isAboveLimit: waitingMax > 0,
      createdAt: time,
      expiresAt: usableUntil(time),
    };
    const inserted = await store.insert(tx, row, isForMandate);
    const summary = await summaryOf(ctx, tx, inserted);
    const meta = { amount: amount.toString(), network, payTo, resource, summary: toSummaryJson(summary) };
    await record(tx, time, { type: "payment.approval_requested", subject: id, agentId, ownerId, meta });
    return { type: "unapproved", approval: inserted, summary, token };
  });
}

async function summaryOf(ctx: Ctx<Agent>, db: Queryable, approval: Approval): Promise<ApprovalSummary> {
  const { agentId, network, amount, payee, host, resource, description: reason, expiresAt } = approval;
  const { ownerId } = ctx.actor;
  const agentName = (await agents.agentById(db, agentId))?.name ?? "";
  const exceededCap = ownerId && (await findExceededCap(ctx, db, { ownerId, agentId, network, amount }, ctx.now()));
  const asked = {
    agentName,
    ownerId,
    network,
    amount,
    payees: [payee],
    host,
    resource,
    reason,
    exceededCap,
    expiresAt,
  };
  return summarize(ctx, db, { ...asked, kind: "payment", words: askedWords, mandate: null });
}

/** `assertAllowed` runs after the approval has accepted the order. */
async function redeem(
  ctx: Ctx<Agent>,
  id: ApprovalId,
  order: payments.PaymentOrder,
  assertAllowed: (wallet: wallets.Wallet | null) => Promise<void>,
): Promise<payments.SignedPayment | ApprovalRequired> {
  const approval = await store.findForAgent(ctx.db, ctx.actor.agentId, id);
  if (!approval) throw approvalErrors.approval_not_found();
  const fields = differences(approval, order);
  if (fields.length > 0) throw approvalErrors.approval_mismatch({ fields });
  const closed = closing(approval, ctx.now());
  if (closed) throw closed;
  const outcome = await signApproved(ctx, approval, order, assertAllowed);
  if (outcome.type === "closed") throw outcome.reason;
  return outcome;
}

/**
 * Signs what a person approved, once; returns what still waits for one, and the reason if it can no longer be used. `assertAllowed`:
 * with the lists of payees as they are when the wallet is read.
 */
const signApproved = (
  ctx: Ctx<Agent>,
  approval: Approval,
  order: payments.PaymentOrder,
  assertAllowed: (wallet: wallets.Wallet | null) => Promise<void>,
): Promise<payments.SignedPayment | ApprovalRequired | { type: "closed"; reason: AppError }> =>
  untilWritten(async () => {
    const wallet = approval.walletId === null ? null : await wallets.walletById(ctx.db, approval.walletId);
    await assertAllowed(wallet);
    if (!wallet)
      return { type: "unapproved", approval, token: null, summary: await summaryOf(ctx, ctx.db, approval) } as const;
    const draft = payments.draftOf(ctx, order);
    const caps = await capsOf(ctx, wallet, ctx.actor.agentId);
    assertWithin(caps, { amount: order.amount, time: draft.signedAt, isApproved: true });
    const charged = store.use(approval, draft.paymentId, { wallet, caps, time: draft.signedAt });
    const signed = await payments.signDraft(ctx, draft, payments.walletPayer(ctx, wallet), charged);
    if (signed) return signed;
    // Since it was read, the approval has expired, another request has used or decided it, or a cap was set or used up.
    const current = await store.findForAgent(ctx.db, ctx.actor.agentId, approval.id);
    const reason = current ? closing(current, ctx.now()) : approvalErrors.approval_not_found();
    return reason && { type: "closed", reason };
  });
