import { hash } from "node:crypto";
import { runAttempt } from "@/lib/attempts/service";
import { type ApprovalId, newId, randomText } from "@/lib/core/ids";
import { limit } from "@/lib/http/limit";
import { paymentErrors } from "@/lib/payments/errors";
import * as payments from "@/lib/payments/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import { record } from "@/lib/platform/events";
import { assertPayable } from "@/lib/screening/service";
import * as wallets from "@/lib/wallets/service";
import type { PaymentRequestV1 } from "../contract";
import { approvalErrors } from "../errors";
import { type ApprovalRequired, closing, differences, termsOf, usableUntil } from "../rules";
import * as store from "../store";

/**
 * With an approvalId, signs the approved payment once, or returns the approval while it is pending. Without one, creates an approval
 * for a person to decide. Throws the request's errors and the reason why the approval cannot be used.
 */
export async function pay(
  ctx: Ctx<Agent>,
  request: PaymentRequestV1,
): Promise<payments.SignedPayment | ApprovalRequired> {
  if (request.means === "credits") throw paymentErrors.unsupported_network({ message: CREDITS_NEED_A_MANDATE });
  const order = payments.requireOrder(request);
  const assertAllowed = () =>
    runAttempt(ctx, { ...order, mandateId: null }, async () => {
      await assertPayable(ctx, [order.payTo]);
      payments.assertUnsuspicious(ctx, request);
    });
  if (request.approvalId !== undefined) return redeem(ctx, request.approvalId, order, assertAllowed);
  await assertAllowed();
  return requestApproval(ctx, order);
}

const CREDITS_NEED_A_MANDATE =
  "Service credits can be spent only under a mandate: use POST /api/payment/x402V3Payment, or pay the offer in USDC";

async function requestApproval(ctx: Ctx<Agent>, order: payments.PaymentOrder): Promise<ApprovalRequired> {
  const { agentId, ownerId } = ctx.actor;
  await limit(ctx, "approval_per_agent", agentId);
  const token = randomText();
  const time = ctx.now();
  const approval = await ctx.db.transaction(async (tx) => {
    const id = newId("approval");
    const { network, amount, payTo, resource } = order;
    const meta = { amount: amount.toString(), network, payTo, resource };
    await record(tx, time, { type: "payment.approval_requested", subject: id, agentId, ownerId, meta });
    return store.insert(tx, {
      ...termsOf(order),
      id,
      agentId,
      tokenHash: hash("sha256", token, "hex"),
      createdAt: time,
      expiresAt: usableUntil(time),
    });
  });
  return { type: "unapproved", approval, token };
}

/** `assertAllowed` runs after the approval has accepted the order. */
async function redeem(
  ctx: Ctx<Agent>,
  id: ApprovalId,
  order: payments.PaymentOrder,
  assertAllowed: () => Promise<void>,
): Promise<payments.SignedPayment | ApprovalRequired> {
  const readApproval = async () => {
    const approval = await store.findForAgent(ctx.db, ctx.actor.agentId, id);
    if (!approval) throw approvalErrors.approval_not_found();
    return approval;
  };
  const approval = await readApproval();
  const fields = differences(approval, order);
  if (fields.length > 0) throw approvalErrors.approval_mismatch({ fields });
  const closed = closing(approval, ctx.now());
  if (closed) throw closed;
  await assertAllowed();
  const wallet = approval.walletId && (await wallets.walletById(ctx.db, approval.walletId));
  if (!wallet) return { type: "unapproved", approval, token: null };
  const draft = payments.draftOf(ctx, order);
  const guard = store.use(id, draft.paymentId, draft.signedAt);
  const signed = await payments.signDraft(ctx, draft, payments.walletPayer(ctx, wallet), guard);
  // Since it was read, the approval has expired or another request has used or decided it.
  if (!signed) throw closing(await readApproval(), ctx.now()) ?? approvalErrors.approval_expired();
  return signed;
}
