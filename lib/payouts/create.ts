import { createHash } from "node:crypto";
import { agentById } from "@/lib/agents/service";
import { runAttempt } from "@/lib/attempts/service";
import { type Action, isSignatureRequired } from "@/lib/confirmations/service";
import type { AppError } from "@/lib/core/errors";
import { PAYOUT_HOST } from "@/lib/core/host";
import { type AgentId, newId, type PayoutId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import { limit } from "@/lib/http/limit";
import * as mandates from "@/lib/mandates/service";
import { paymentErrors } from "@/lib/payments/errors";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { type ApprovalSummary, toSummaryJson } from "@/lib/platform/summary";
import { settlementErrors } from "@/lib/settlements/errors";
import * as wallets from "@/lib/wallets/service";
import { type NetworkName, networkNamed } from "@/lib/x402/networks";
import { type Consent, consented, type PreviewedRow, recipientsOf } from "./consent";
import type { AgentPayoutRequest, OwnerPayoutRequest } from "./contract";
import { approve } from "./decide";
import { payoutErrors } from "./errors";
import { claimLegs, findPastTransfers, type SettlementIds } from "./legs/claim";
import { assertRecipients } from "./recipients";
import { approvableUntil, payoutEvent, type SplitLeg } from "./rules";
import * as store from "./store";
import { type CreateResult, getById, summarizeWaiting } from "./views";

type Order = {
  payoutId: string | undefined;
  network: NetworkName;
  amount: Usdc;
  legs: readonly SplitLeg[];
  mandateId: AgentPayoutRequest["mandateId"];
  bizId: string | undefined;
  description: string;
};

/**
 * Creates a payout for an agent: under a mandate its legs are claimed at once, otherwise it waits for the owner's approval. Returns
 * the existing payout if the same payoutId and body were sent before. Throws the request's errors, the reason why the mandate does
 * not pay, payout_conflict, duplicate_biz_id, insufficient_balance, and SETTLEMENT_UNKNOWN (repeat the same call).
 */
export async function create(ctx: Ctx<Agent>, { agentId, ...request }: AgentPayoutRequest): Promise<CreateResult> {
  if (agentId !== undefined && agentId !== ctx.actor.agentId) throw payoutErrors.agent_mismatch();
  const creator = { agentId: ctx.actor.agentId, ownerId: ctx.actor.ownerId };
  const order = orderOf(request);
  const existing = await findExisting(ctx, creator, order);
  if (existing) return existing;
  await limit(ctx, "payout_per_agent", creator.agentId);
  await assertRecipients(ctx, { ...order, agentId: creator.agentId }, creator.ownerId);
  return createOnce(ctx, creator, order, (id) =>
    order.mandateId === undefined ? write(ctx, creator, order, id) : chargeMandate(ctx, order.mandateId, order, id),
  );
}

/**
 * `create` for the signed-in owner. `isApproved` approves the payout at once, even if it already exists. Throws signature_required
 * if paying it needs a signature.
 */
export async function createOwned(
  ctx: Ctx<Owner>,
  request: OwnerPayoutRequest,
  isApproved: boolean,
  consent: Consent,
): Promise<CreateResult> {
  const { ownerId } = ctx.actor;
  const creator = { agentId: null, ownerId };
  const order = orderOf({ ...request, mandateId: undefined });
  const existing = await findExisting(ctx, creator, order);
  if (existing)
    return isApproved ? { ...existing, view: await approve(ctx, existing.view.payout.id, consent) } : existing;
  await limit(ctx, "payout_per_owner", ownerId);
  await assertRecipients(ctx, { ...order, agentId: null }, ownerId);
  if (!isApproved) return createOnce(ctx, creator, order, (id) => write(ctx, creator, order, id));
  const wallet = await wallets.spendingWallet(ctx, ownerId, order.network);
  const action = (): Action => ({
    type: "NewPayout",
    payoutId: order.payoutId ?? "",
    network: order.network,
    recipients: recipientsOf(order.legs),
    total: order.amount,
    contents: fingerprintOf(order),
  });
  return consented(ctx, consent, { ...order, wallet, action }, (use, isSigned) =>
    createOnce(ctx, creator, order, (id) =>
      // A concurrent identical call waits for this claim, then finds this payout and needs no signature.
      claimLegs(ctx, wallet, { ...order, id, agentId: null }, async (tx, { settlementIds, claimedAt }) => {
        await use(tx);
        await insert(ctx, tx, creator, order, {
          id,
          createdAt: claimedAt,
          walletId: wallet.id,
          isSigned,
          settlementIds,
        });
      }),
    ),
  ).catch(async (error: unknown) => {
    // A concurrent identical call has used the challenge for this payout.
    const concurrentResult = isSignatureRequired(error) ? await findExisting(ctx, creator, order) : null;
    if (concurrentResult?.view.payout.approvedAt) return concurrentResult;
    throw error;
  });
}

/** A row of an owner's file as it would be paid, and whether it is already approved. Throws errors of the request. */
export async function previewOwned(
  ctx: Ctx<Owner>,
  request: OwnerPayoutRequest,
): Promise<{ row: PreviewedRow; isApproved: boolean }> {
  const order = orderOf({ ...request, mandateId: undefined });
  const existing = await findExisting(ctx, { agentId: null, ownerId: ctx.actor.ownerId }, order);
  return { row: { ...order, contents: fingerprintOf(order) }, isApproved: existing?.view.payout.approvedAt != null };
}

function orderOf(request: Omit<AgentPayoutRequest, "agentId">): Order {
  const network = networkNamed(request.network);
  if (!network) throw paymentErrors.unsupported_network();
  if (request.currency !== "USDC") throw paymentErrors.currency_mismatch();
  if (request.assetAddress !== undefined && request.assetAddress.toLowerCase() !== network.usdc.toLowerCase()) {
    throw paymentErrors.unsupported_asset();
  }
  const { payoutId, amount, legs, mandateId, bizId, description } = request;
  return { payoutId, network: network.name, amount, legs, mandateId, bizId, description };
}

const fingerprintOf = ({ network, legs, mandateId, bizId, description }: Order): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        network,
        legs.map((leg) => [leg.toAddress, leg.amount.toString(), leg.shareBps]),
        mandateId ?? null,
        bizId ?? null,
        description,
      ]),
    )
    .digest("hex");

/** The creator's payout with the order's payoutId. Throws payout_conflict if it was created with another body. */
async function findExisting(system: System, creator: store.Creator, order: Order): Promise<CreateResult | null> {
  const payout = order.payoutId === undefined ? null : await store.findByName(system.db, creator, order.payoutId);
  if (!payout) return null;
  if (payout.fingerprint !== fingerprintOf(order)) throw payoutErrors.payout_conflict();
  return { view: await getById(system, payout.id), isNew: false };
}

/** Runs `insertNew`; if a concurrent call has created the same payout, returns that one. */
async function createOnce(
  system: System,
  creator: store.Creator,
  order: Order,
  insertNew: (id: PayoutId) => Promise<void>,
): Promise<CreateResult> {
  const id = newId("payout");
  try {
    await insertNew(id);
  } catch (error) {
    const isExisting = payoutErrors.payout_conflict.is(error) || settlementErrors.PAYMENT_ALREADY_USED.is(error);
    const existing = isExisting && (await findExisting(system, creator, order));
    if (existing) return existing;
    if (!settlementErrors.SETTLEMENT_UNKNOWN.is(error)) throw error;
    throw settlementErrors.SETTLEMENT_UNKNOWN({ payoutId: order.payoutId ?? id, message: UNKNOWN_OUTCOME }, error);
  }
  return { view: await getById(system, id), isNew: true };
}

const UNKNOWN_OUTCOME =
  "It is not known whether this payout was created. Send the same body with this payoutId again, and a new Idempotency-Key if you use one: that returns the payout, or creates it once";

const write = (system: System, creator: store.Creator, order: Order, id: PayoutId): Promise<void> =>
  system.db.transaction((tx) => insert(system, tx, creator, order, { id, createdAt: system.now() }));

type ApprovalColumns = { walletId?: wallets.Wallet["id"]; isSigned?: boolean; settlementIds?: SettlementIds };

/** Inserts the payout, approved if `walletId` is given. Throws payout_conflict, duplicate_biz_id. */
async function insert(
  system: System,
  tx: Tx,
  creator: store.Creator,
  order: Order,
  { id, createdAt, walletId, isSigned = false, settlementIds }: ApprovalColumns & { id: PayoutId; createdAt: Date },
): Promise<void> {
  const { payoutId = id, network, amount, mandateId, bizId, description } = order;
  await store.lockCreator(tx, creator);
  if (await store.findByName(tx, creator, payoutId)) throw payoutErrors.payout_conflict();
  const duplicate = bizId === undefined ? null : await store.findByBizId(tx, creator, bizId, createdAt);
  if (duplicate) throw payoutErrors.duplicate_biz_id({ payoutId: duplicate.payoutId });
  const row = {
    ...creator,
    id,
    payoutId,
    network,
    amount,
    description,
    mandateId: mandateId ?? null,
    bizId: bizId ?? null,
    fingerprint: fingerprintOf(order),
    walletId: walletId ?? null,
    createdAt,
    expiresAt: approvableUntil(createdAt, creator.agentId === null ? "owner" : "agent"),
    approvedAt: walletId ? createdAt : null,
    isSigned,
  };
  const legs = order.legs.map((leg, index) => ({ ...leg, settlementId: settlementIds?.[index] ?? null }));
  await store.insert(tx, row, legs);
  const { meta, ...created } = payoutEvent("payout.created", row);
  const approved = walletId ? [payoutEvent("payout.approved", row)] : [];
  const awaitsOwner = creator.agentId !== null && !walletId;
  const summary = awaitsOwner ? await summaryFor(system, tx, creator.agentId, { ...row, legs }) : null;
  await record(
    tx,
    createdAt,
    { ...created, meta: { ...meta, summary: summary && toSummaryJson(summary) } },
    ...approved,
  );
}

async function summaryFor(
  system: System,
  tx: Tx,
  agentId: AgentId,
  {
    legs,
    ...row
  }: Omit<Parameters<typeof summarizeWaiting>[2], "agentId" | "agentName" | "payees"> & { legs: readonly SplitLeg[] },
): Promise<ApprovalSummary> {
  const agentName = (await agentById(tx, agentId))?.name ?? "";
  const { network, amount, description, bizId, expiresAt, ownerId } = row;
  const payees = legs.map(({ toAddress }) => toAddress);
  const asked = { network, amount, description, bizId, expiresAt, ownerId, agentId, agentName, payees };
  return summarizeWaiting(system, tx, asked);
}

/** Claims the legs, writes the payout and reserves its amount in the mandate's budget, all in one transaction. */
async function chargeMandate(
  ctx: Ctx<Agent>,
  mandateId: NonNullable<Order["mandateId"]>,
  order: Order,
  id: PayoutId,
): Promise<void> {
  const { agentId, ownerId } = ctx.actor;
  const charge = { network: order.network, amount: order.amount, host: PAYOUT_HOST, defaultPort: "" };
  await runAttempt(ctx, { ...charge, mandateId, payTo: order.legs[0]?.toAddress ?? "" }, async () => {
    const { wallet, refusal } = await payerOf(ctx, mandateId, charge, order);
    await claimLegs(ctx, wallet, { ...order, id, agentId }, async (tx, { settlementIds, claimedAt, ...claimed }) => {
      // The block of these transfers was replaced meanwhile.
      if (refusal && !claimed.isPast) throw refusal;
      const set = { id, createdAt: claimedAt, walletId: wallet.id, settlementIds };
      await insert(ctx, tx, { agentId, ownerId }, order, set);
      await mandates.reserve(ctx, tx, mandateId, { charge, wallet, ...claimed });
    });
  });
}

/**
 * The wallet that pays under the mandate, or has paid: after a restore from a backup, what the chain shows is recorded, also if the mandate
 * has been paused or revoked since. Throws the `refusal` if nothing was paid.
 */
async function payerOf(
  ctx: Ctx<Agent>,
  mandateId: NonNullable<Order["mandateId"]>,
  charge: Parameters<typeof mandates.chargeable>[2],
  { payoutId, network, legs }: Order,
): Promise<{ wallet: wallets.Wallet; refusal: AppError | null }> {
  try {
    const { wallet } = await mandates.chargeable(ctx, mandateId, charge);
    return { wallet, refusal: null };
  } catch (refusal) {
    const { agentId, ownerId } = ctx.actor;
    if (!mandates.isRefusal(refusal) || payoutId === undefined || ownerId === null) throw refusal;
    const wallet = await wallets.spendingWallet(ctx, ownerId, network);
    if ((await findPastTransfers(ctx, wallet, { payoutId, agentId, legs })) === null) throw refusal;
    return { wallet, refusal };
  }
}
