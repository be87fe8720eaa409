import type { Hex } from "viem";
import {
  type Action,
  confirmed,
  exceedsLimit,
  exceedsLockedLimit,
  type Use,
  unsigned,
} from "@/lib/confirmations/service";
import { AppError } from "@/lib/core/errors";
import { readableUrl } from "@/lib/core/host";
import type { ApprovalId } from "@/lib/core/ids";
import { add, type Usdc, ZERO } from "@/lib/core/money";
import { orRefusal } from "@/lib/http/errors";
import * as mandates from "@/lib/mandates/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import * as wallets from "@/lib/wallets/service";
import { mapNetworks, type NetworkName } from "@/lib/x402/networks";
import { approvalErrors } from "./errors";
import { type Approval, statusOf } from "./rules";
import { type ApprovalWithAgent, decidedOf, findOwn, writeDecision } from "./service";
import * as store from "./store";

/**
 * Approves one payment by the agent. Idempotent. Requires a signature if this payment and everything paid without one in the last 24
 * hours exceed the owner's limit: the agent chooses the address and can make many requests. Also requires one until the owner's
 * wallet has signed a mandate for the agent, because anyone with a session can add an agent. Throws approval_not_found,
 * approval_decided, approval_expired, signature_required.
 */
export async function approve(
  ctx: Ctx<Owner>,
  id: ApprovalId,
  { signature }: { signature?: Hex | undefined },
): Promise<ApprovalWithAgent> {
  const { approval } = await findOwn(ctx, id);
  const write = (use: Use) => writeApproval(ctx, approval, use);
  if ((await write(unsigned)) === "needs_signature") {
    const { agentId: requestedBy, network, amount, payee: to } = approval;
    const resource = readableUrl(approval.resource);
    const action = { type: "PaymentApproval" as const, approvalId: id, requestedBy, network, to, amount, resource };
    await confirmed(ctx, action, signature, write);
  }
  return decidedOf(ctx, id);
}

export type ApprovalOutcome = { approvalId: ApprovalId; outcome: ApprovalWithAgent | AppError };

/**
 * Approves several payments, each in its own transaction with its own outcome. If together they require a signature, one signature
 * covers all of them, and none is approved without it. Throws signature_required.
 */
export async function approveTogether(
  ctx: Ctx<Owner>,
  ids: readonly ApprovalId[],
  { signature }: { signature?: Hex | undefined },
): Promise<ApprovalOutcome[]> {
  const results = await Promise.all(ids.map((id) => orRefusal(() => findOwn(ctx, id))));
  const approvals = results.flatMap((result) => (result instanceof AppError ? [] : [result.approval]));
  const waiting = approvals.filter((approval) => statusOf(approval, ctx.now()) === "pending");
  const isSigned = await needSignature(ctx, waiting);
  // The signature is used before the payments are approved, because each is approved in a separate transaction.
  if (isSigned) {
    // Covers all named payments, including those already decided, so that a repeated call needs the same signature.
    const action: Action = {
      type: "PaymentApprovals",
      recipients: approvals.map(({ payee: to, amount }) => ({ to, amount })),
      totals: totalsOf(approvals),
      contents: approvals
        .map(({ id, agentId, network, resource }) => JSON.stringify([id, agentId, network, resource]))
        .join(),
    };
    await confirmed(ctx, action, signature, (useSignature) => ctx.db.transaction(useSignature));
  }
  // A signature was already used in the transaction above.
  const use: Use = isSigned ? async () => {} : unsigned;
  const outcomes: ApprovalOutcome[] = [];
  for (const [index, approvalId] of ids.entries()) {
    const result = results[index];
    const outcome = await orRefusal(async () => {
      if (!result || result instanceof AppError) throw result ?? approvalErrors.approval_not_found();
      const written = await writeApproval(ctx, result.approval, use);
      if (written === "needs_signature") throw approvalErrors.approval_limit_reached();
      return decidedOf(ctx, approvalId);
    });
    outcomes.push({ approvalId, outcome });
  }
  return outcomes;
}

async function writeApproval(
  ctx: Ctx<Owner>,
  { id, agentId, network, amount }: Approval,
  use: Use,
): Promise<"done" | "needs_signature"> {
  const { ownerId } = ctx.actor;
  const wallet = await wallets.spendingWallet(ctx, ownerId, network);
  return ctx.db.transaction(async (tx) => {
    const time = ctx.now();
    const isSigned = use !== unsigned;
    const isAbove = !isSigned && (await exceedsLockedLimit(ctx, tx, { walletId: wallet.id, amount }));
    const locked = await store.lock(tx, id);
    const status = locked && statusOf(locked, time);
    if (status === "denied") throw approvalErrors.approval_decided();
    if (status === "expired") throw approvalErrors.approval_expired();
    if (!locked || status !== "pending") return "done";
    if (isAbove) return "needs_signature";
    if (!isSigned && (await mandates.listSignedFor(tx, ownerId, [agentId])).length === 0) return "needs_signature";
    await use(tx);
    await writeDecision(tx, ctx, locked, {
      type: "payment.approved",
      time,
      set: { walletId: wallet.id, approvedAt: time, isSigned },
    });
    return "done";
  });
}

/**
 * Whether a signature is required: the payments on one network, plus everything paid there without a signature in the last 24 hours,
 * exceed the limit, or the owner's wallet has signed no mandate for one of the agents.
 */
async function needSignature(ctx: Ctx<Owner>, approvals: readonly Approval[]): Promise<boolean> {
  const agentIds = new Set(approvals.map(({ agentId }) => agentId));
  if (agentIds.size === 0) return false;
  if ((await mandates.listSignedFor(ctx.db, ctx.actor.ownerId, [...agentIds])).length < agentIds.size) return true;
  for (const [network, amount] of Object.entries(totalsOf(approvals)) as [NetworkName, Usdc][]) {
    if (amount === ZERO) continue;
    const { id: walletId } = await wallets.spendingWallet(ctx, ctx.actor.ownerId, network);
    if (await exceedsLimit(ctx, { walletId, amount })) return true;
  }
  return false;
}

function totalsOf(approvals: readonly Approval[]): Record<NetworkName, Usdc> {
  const totals: Record<NetworkName, Usdc> = mapNetworks(() => ZERO);
  for (const { network, amount } of approvals) totals[network] = add(totals[network], amount);
  return totals;
}
