import { hash } from "node:crypto";
import { agentErrors } from "@/lib/agents/errors";
import * as agents from "@/lib/agents/service";
import type { ApprovalId, WalletId } from "@/lib/core/ids";
import { add, type Usdc, ZERO } from "@/lib/core/money";
import * as mandates from "@/lib/mandates/service";
import * as payments from "@/lib/payments/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import type { Subscriber } from "@/lib/platform/subscriber";
import { nextStep, type VisitStep, viewerOf } from "@/lib/platform/visit";
import { approvalErrors } from "./errors";
import { type Approval, type ApprovalStatus, closing, statusOf } from "./rules";
import * as store from "./store";

export type { ApprovalWithAgent } from "./store";

export const subscriber: Subscriber = { paidUnsigned: store.sumUnsigned, approved: store.listApproved };

/**
 * Links the requesting agent to the signed-in owner, who proves access with the token of the approvalUrl. Throws
 * approval_not_found, agent_linked_elsewhere, and the reason when the approval is closed.
 */
export async function claim(
  ctx: Ctx<Owner>,
  id: ApprovalId,
  token: string | undefined,
): Promise<store.ApprovalWithAgent> {
  const { ownerId } = ctx.actor;
  const approvalWithAgent = await findEntitled(ctx, id, token);
  if (approvalWithAgent.agentOwnerId === ownerId) return approvalWithAgent;
  const time = ctx.now();
  const closed = closing(approvalWithAgent.approval, time);
  if (closed) throw closed;
  await ctx.db.transaction((tx) => agents.linkAgent(tx, approvalWithAgent.approval.agentId, ownerId, time));
  return findEntitled(ctx, id, token);
}

/**
 * Denies a payment, or revokes an approval that is not used. For an agent without an owner this requires the token, and the
 * agent stays unlinked. Throws approval_not_found, approval_used, approval_expired, agent_linked_elsewhere.
 */
export async function deny(
  ctx: Ctx<Owner>,
  id: ApprovalId,
  token: string | undefined,
): Promise<store.ApprovalWithAgent> {
  const { agentOwnerId } = await findEntitled(ctx, id, token);
  if (agentOwnerId !== null && agentOwnerId !== ctx.actor.ownerId) throw agentErrors.agent_linked_elsewhere();
  await ctx.db.transaction(async (tx) => {
    const time = ctx.now();
    const approval = await store.lock(tx, id);
    if (!approval) throw approvalErrors.approval_not_found();
    const status = statusOf(approval, time);
    if (status === "used" || status === "expired") throw closing(approval, time) ?? approvalErrors.approval_expired();
    if (status === "denied") return;
    await writeDecision(tx, ctx, approval, { type: "payment.denied", time, set: { deniedAt: time } });
  });
  return decidedOf(ctx, id);
}

type Change = Parameters<typeof store.change>[2];

/** Records a decision. Approving also binds the agent to its owner permanently. */
export async function writeDecision(
  tx: Tx,
  { actor: { ownerId } }: Ctx<Owner>,
  approval: Approval,
  { type, time, set }: { type: string; time: Date; set: Change },
): Promise<void> {
  const { id: subject, agentId, amount, network, payee: payTo, resource } = approval;
  const meta = { amount: amount.toString(), network, payTo, resource };
  if (set.approvedAt && !(await agents.bind(tx, agentId, ownerId, time))) throw approvalErrors.approval_not_found();
  await record(tx, time, { type, subject, agentId, ownerId, meta });
  await store.change(tx, subject, set);
}

export async function decidedOf({ db }: Ctx, id: ApprovalId): Promise<store.ApprovalWithAgent> {
  const decided = await store.find(db, id);
  if (!decided) throw approvalErrors.approval_not_found();
  return decided;
}

export type AlwaysTerms = { limitAmount: Usdc; maxAmountPerPayment: Usdc | null; validForSeconds: number };

/**
 * Prepares a mandate for future payments by this agent to this host, for the owner to sign. The requested payment still needs
 * its approval. Throws approval_not_found, approval_mandate_waiting, cap_exceeds_limit, and the reason when the approval is
 * closed.
 */
export async function prepareMandate(ctx: Ctx<Owner>, id: ApprovalId, terms: AlwaysTerms): Promise<mandates.Mandate> {
  const { approval } = await findOwn(ctx, id);
  const write = await mandates.prepare(ctx, approval.agentId, {
    ...terms,
    maxAmountPerDay: null,
    maxAmountPerMonth: null,
    naturalLanguage: `Pay ${approval.host} without asking each time`,
    category: null,
    currency: "USDC",
    network: approval.network,
    hostAllowlist: [approval.host],
    confirmPayees: null,
    vault: null,
  });
  // Under the approval's lock, so that the second of two concurrent requests finds the first one's mandate.
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const locked = await store.lock(tx, id);
    if (!locked) throw approvalErrors.approval_not_found();
    const closed = closing(locked, now);
    if (closed) throw closed;
    const { mandateId } = locked;
    if (mandateId && (await mandates.isWaiting(tx, mandateId, now))) throw approvalErrors.approval_mandate_waiting();
    const mandate = await write(tx);
    await store.change(tx, id, { mandateId: mandate.id });
    return mandate;
  });
}

export type ApprovalPage = store.ApprovalWithAgent & {
  status: ApprovalStatus;
  nextStep: VisitStep;
  /** The signed payment, once the approval is used. */
  payment: payments.Payment | null;
};

/**
 * The data of an approval's page, read from the database. Throws approval_not_found unless the visitor has the token of the
 * approvalUrl or owns the agent.
 */
export async function forDeciding(ctx: Ctx, id: ApprovalId, token: string | undefined): Promise<ApprovalPage> {
  const approvalWithAgent = await findEntitled(ctx, id, token);
  const { paymentId } = approvalWithAgent.approval;
  const status = statusOf(approvalWithAgent.approval, ctx.now());
  const payment = paymentId && (await payments.paymentById(ctx, paymentId));
  return {
    ...approvalWithAgent,
    status,
    nextStep: nextStep(status === "pending", viewerOf(ctx.actor, approvalWithAgent.agentOwnerId)),
    payment,
  };
}

/** The approval under which an agent's payment was signed; null for a payment under a mandate. */
export const idOfPayment = ({ db }: Ctx<Owner>, { agentId, id }: Pick<payments.Payment, "agentId" | "id">) =>
  store.findIdByPayment(db, agentId, id);

/** What approved payments that are not signed yet take from a wallet; with `until`, only those approved before it. */
export async function sumApproved(
  { db, actor: { ownerId }, now }: Ctx<Owner>,
  walletId: WalletId,
  until?: Approval,
): Promise<Usdc> {
  const approved = await store.listApproved(db, { ownerId, walletId }, now(), until);
  return approved.reduce<Usdc>((sum, { amount }) => add(sum, amount), ZERO);
}

/** The mandate that the owner prepared on the approval's page, in its current state. */
export const preparedMandate = async (
  ctx: Ctx<Owner>,
  { mandateId }: Approval,
): Promise<mandates.OwnedMandate | null> => (mandateId ? mandates.getForOwner(ctx, mandateId) : null);

/** The most that can be approved together. */
export const WAITING_MAX = 50;
const SHOWN = 20;

/** Undecided payment requests of the owner's agents, the newest of each agent first. */
export const listWaiting = (ctx: Ctx<Owner>, limit = SHOWN): Promise<store.ApprovalWithAgent[]> =>
  store.listWaiting(ctx.db, ctx.actor.ownerId, ctx.now(), limit);

/** Requires the token of the approvalUrl or a session of the agent's owner. Throws approval_not_found. */
async function findEntitled(ctx: Ctx, id: ApprovalId, token: string | undefined): Promise<store.ApprovalWithAgent> {
  const approvalWithAgent = await store.find(ctx.db, id);
  const isToken = token !== undefined && hash("sha256", token, "hex") === approvalWithAgent?.approval.tokenHash;
  if (!approvalWithAgent || !(isToken || viewerOf(ctx.actor, approvalWithAgent.agentOwnerId) === "owner"))
    throw approvalErrors.approval_not_found();
  return approvalWithAgent;
}

export async function findOwn(ctx: Ctx<Owner>, id: ApprovalId): Promise<store.ApprovalWithAgent> {
  const approvalWithAgent = await store.find(ctx.db, id);
  if (!approvalWithAgent || approvalWithAgent.agentOwnerId !== ctx.actor.ownerId)
    throw approvalErrors.approval_not_found();
  return approvalWithAgent;
}
