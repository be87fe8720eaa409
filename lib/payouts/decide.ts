import { agentErrors } from "@/lib/agents/errors";
import * as agents from "@/lib/agents/service";
import { type Action, isSignatureRequired } from "@/lib/confirmations/service";
import type { OwnerId, PayoutId } from "@/lib/core/ids";
import * as mandates from "@/lib/mandates/service";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { settlementErrors } from "@/lib/settlements/errors";
import * as wallets from "@/lib/wallets/service";
import { type Consent, consented, recipientsOf } from "./consent";
import { payoutErrors } from "./errors";
import { type ClaimedLegs, claimLegs, findPastTransfers } from "./legs/claim";
import * as lists from "./list-store";
import { assertRecipients } from "./recipients";
import { type Payout, payoutEvent, statusOf } from "./rules";
import * as store from "./store";
import { findEntitled, findOwn, getById, type PayoutView, viewOf } from "./views";

/** Links the payout's agent to the signed-in owner, by the token of the approvalUrl. Throws agent_linked_elsewhere. */
export async function claim(ctx: Ctx<Owner>, id: PayoutId, token: string | undefined): Promise<PayoutView> {
  const { ownerId } = ctx.actor;
  const row = await findEntitled(ctx, id, token);
  if (row.ownerId === ownerId) return viewOf(ctx, row);
  const { agentId } = row.payout;
  if (row.ownerId !== null || agentId === null) throw agentErrors.agent_linked_elsewhere();
  assertOpen(row.payout, ctx.now());
  await ctx.db.transaction(async (tx) => {
    const time = ctx.now();
    await lockOpen(tx, id, time);
    await agents.linkAgent(tx, agentId, ownerId, time);
    await store.change(tx, id, { ownerId });
  });
  return getById(ctx, id);
}

/**
 * Claims all legs of a payout from the owner's spending wallet. Idempotent: a payout is paid once. Throws invalid_recipient,
 * insufficient_balance, signature_required, SETTLEMENT_UNKNOWN (repeat the same call), and the reason why it can no longer be
 * approved.
 */
export async function approve(ctx: Ctx<Owner>, id: PayoutId, consent: Consent): Promise<PayoutView> {
  const { ownerId } = ctx.actor;
  const row = await findOwn(ctx, id);
  const { payout } = row;
  if (payout.approvedAt) return viewOf(ctx, row);
  assertOpen(payout, ctx.now());
  const legs = ((await lists.legsOf(ctx.db, [id])).get(id) ?? []).map(({ leg }) => leg);
  await assertRecipients(ctx, { ...payout, legs }, ownerId);
  const wallet = await wallets.spendingWallet(ctx, ownerId, payout.network);
  const action = (): Action => ({
    type: "PayoutApproval",
    payoutRecordId: payout.id,
    payoutId: payout.payoutId,
    network: payout.network,
    requestedBy: payout.agentId ?? "",
    recipients: recipientsOf(legs),
    total: payout.amount,
    contents: payout.fingerprint,
  });
  try {
    await consented(ctx, consent, { ...payout, legs, wallet, action }, (use, isSigned) =>
      claimLegs(ctx, wallet, { ...payout, legs }, async (tx, claimed) => {
        const locked = await lockOpen(tx, id, claimed.claimedAt);
        await use(tx);
        await writeApproved(tx, locked, { ownerId, wallet, isSigned }, claimed);
      }),
    );
  } catch (error) {
    // Possibly approved by a concurrent identical call.
    const isConcurrent = isSignatureRequired(error) || settlementErrors.PAYMENT_ALREADY_USED.is(error);
    const current = isConcurrent ? await getById(ctx, id) : null;
    if (!current?.payout.approvedAt && !payoutErrors.payout_approved.is(error)) throw error;
  }
  return getById(ctx, id);
}

type Approving = { ownerId: OwnerId; wallet: wallets.Wallet; isSigned: boolean };

async function writeApproved(
  tx: Tx,
  payout: Payout,
  { ownerId, wallet, isSigned }: Approving,
  { settlementIds, claimedAt, ...claimed }: ClaimedLegs,
): Promise<void> {
  const { id, agentId } = payout;
  await store.change(tx, id, { ownerId, walletId: wallet.id, approvedAt: claimedAt, isSigned });
  // The agent has unlinked itself in the meantime.
  if (agentId && !(await agents.bind(tx, agentId, ownerId, claimedAt))) throw payoutErrors.payout_not_found();
  await store.assignSettlements(tx, id, settlementIds);
  // What the owner pays out without an agent is not limited.
  if (agentId) await mandates.reserveApproved(tx, wallet, { agentId, time: claimedAt, ...claimed });
  await record(tx, claimedAt, payoutEvent("payout.approved", { ...payout, ownerId }));
}

/**
 * Records a payout that nobody has decided here as approved if the chain shows its transfers: it was approved after the backup from which
 * the database was restored, and must not read as unpaid. Throws ChainUnavailable, and payout_conflict if the chain shows others.
 */
export async function recordPaid(system: System, { payout, ownerId }: store.PayoutWithParties): Promise<void> {
  if (ownerId === null) return;
  const { id } = payout;
  const legs = ((await lists.legsOf(system.db, [id])).get(id) ?? []).map(({ leg }) => leg);
  const wallet = await wallets.spendingWallet(system, ownerId, payout.network);
  if ((await findPastTransfers(system, wallet, { ...payout, legs })) === null) return;
  await claimLegs(system, wallet, { ...payout, legs }, async (tx, claimed) => {
    // Its block was replaced meanwhile, or somebody has decided: then nothing is to be recorded.
    if (!claimed.isPast) throw payoutErrors.payout_expired();
    const locked = await store.lock(tx, id);
    if (!locked || statusOf(locked, [], locked.createdAt) !== "pending_authorization")
      throw payoutErrors.payout_approved();
    await writeApproved(tx, locked, { ownerId, wallet, isSigned: false }, claimed);
  });
}

async function lockOpen(tx: Tx, id: PayoutId, now: Date): Promise<Payout> {
  const locked = await store.lock(tx, id);
  if (!locked) throw payoutErrors.payout_not_found();
  assertOpen(locked, now);
  return locked;
}

/**
 * Denies an agent's payout. For an agent without an owner this needs the token, and the agent stays unlinked. Idempotent. Throws
 * agent_linked_elsewhere, and the reason why it can no longer be denied.
 */
export async function deny(ctx: Ctx<Owner>, id: PayoutId, token: string | undefined): Promise<PayoutView> {
  const row = await findEntitled(ctx, id, token);
  if (row.ownerId !== null && row.ownerId !== ctx.actor.ownerId) throw agentErrors.agent_linked_elsewhere();
  return close(ctx, row, "denied", ctx.actor.ownerId);
}

/** Cancels a payout that is not approved. Idempotent. Throws payout_not_found, and the reason why it can no longer be cancelled. */
export async function cancel(ctx: Ctx<Owner>, id: PayoutId): Promise<PayoutView> {
  return close(ctx, await findOwn(ctx, id), "cancelled", ctx.actor.ownerId);
}

/** `cancel` for the payout's agent, by payoutId. */
export async function cancelForAgent(ctx: Ctx<Agent>, payoutId: string): Promise<PayoutView> {
  const row = await lists.findForAgent(ctx.db, ctx.actor.agentId, payoutId);
  if (!row) throw payoutErrors.payout_not_found();
  return close(ctx, row, "cancelled", row.ownerId);
}

const CLOSED_AT = { denied: "deniedAt", cancelled: "cancelledAt" } as const;

async function close(
  system: System,
  { payout: { id } }: store.PayoutWithParties,
  decision: keyof typeof CLOSED_AT,
  ownerId: OwnerId | null,
): Promise<PayoutView> {
  await system.db.transaction(async (tx) => {
    const time = system.now();
    const payout = await store.lock(tx, id);
    if (!payout) throw payoutErrors.payout_not_found();
    if (payout[CLOSED_AT[decision]]) return;
    assertOpen(payout, time);
    await store.change(tx, id, { [CLOSED_AT[decision]]: time });
    await record(tx, time, payoutEvent(`payout.${decision}`, { ...payout, ownerId: payout.ownerId ?? ownerId }));
  });
  return getById(system, id);
}

/** Throws the reason why the payout can no longer be decided. */
function assertOpen(payout: Payout, now: Date): void {
  const status = statusOf(payout, [], now);
  switch (status) {
    case "pending_authorization":
      return;
    case "expired":
      throw payoutErrors.payout_expired();
    case "denied":
      throw payoutErrors.payout_denied();
    case "cancelled":
      throw payoutErrors.payout_cancelled();
    case "authorized":
    case "processing":
    case "succeeded":
    case "failed":
      throw payoutErrors.payout_approved();
    default:
      status satisfies never;
  }
}
