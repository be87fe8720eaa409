import type { Hex } from "viem";
import { agentErrors } from "@/lib/agents/errors";
import { listEverOwned } from "@/lib/agents/service";
import { confirmed } from "@/lib/confirmations/service";
import { AppError } from "@/lib/core/errors";
import type { PayoutId } from "@/lib/core/ids";
import type { Cursor } from "@/lib/core/page";
import { edgeErrors, orRefusal } from "@/lib/http/errors";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { Ctx, Owner } from "@/lib/platform/context";
import { nextStep, type VisitStep, viewerOf } from "@/lib/platform/visit";
import { batchAction, type Consent, needsSignature, togetherAction } from "../consent";
import { payoutErrors } from "../errors";
import * as lists from "../list-store";
import { type PayoutStatus, statusOf } from "../rules";
import {
  approve,
  type CreateResult,
  createOwned,
  findEntitled,
  findOwn,
  type PayoutPage,
  type PayoutView,
  pageOf,
  previewOwned,
  viewOf,
} from "../service";
import type { Attempted, BatchResult } from "../views";
import type { BatchRow } from "./contract";

export type { PayoutFilter } from "../list-store";

/** Throws payout_not_found. */
export const get = async (ctx: Ctx<Owner>, id: PayoutId): Promise<PayoutView> => viewOf(ctx, await findOwn(ctx, id));

/** Payouts of the owner and of the owner's agents, newest first. */
export async function list(
  ctx: Ctx<Owner>,
  filter: lists.PayoutFilter,
  { limit, ...options }: Omit<lists.PayoutSlice, "now">,
): Promise<PayoutPage> {
  const slice = { ...options, now: ctx.now(), limit: limit + 1 };
  return pageOf(ctx, await lists.listForOwner(ctx.db, ctx.actor.ownerId, filter, slice), limit);
}

const PAGE_ROWS = 200;

/**
 * All pages of `list`. No connection is held between two pages, so a slow reader does not block others. Throws
 * agent_not_found if the filter names another owner's agent.
 */
export async function* allPages(ctx: Ctx<Owner>, filter: lists.PayoutFilter): AsyncGenerator<PayoutView[]> {
  if (filter.agentId && filter.agentId !== "any") {
    const agents = await listEverOwned(ctx);
    if (!agents.some(({ id }) => id === filter.agentId)) throw agentErrors.agent_not_found();
  }
  let cursor: Cursor | undefined;
  do {
    const { rows, next } = await list(ctx, filter, { after: cursor, limit: PAGE_ROWS });
    yield rows;
    cursor = next ?? undefined;
  } while (cursor);
}

export const WAITING_MAX = 20;

/** Undecided payouts of the owner's agents, the newest of each agent first. */
export async function listWaiting(ctx: Ctx<Owner>): Promise<PayoutView[]> {
  const filter = { status: "pending_authorization", agentId: "any" } as const;
  return (await list(ctx, filter, { limit: WAITING_MAX, isFair: true })).rows;
}

export type PayoutPageView = PayoutView & {
  status: PayoutStatus;
  nextStep: VisitStep;
};

/**
 * The data of a payout's page, from the database. Throws payout_not_found unless the visitor has the token of the approvalUrl
 * or owns the payout.
 */
export async function forDeciding(ctx: Ctx, id: PayoutId, token: string | undefined): Promise<PayoutPageView> {
  const row = await findEntitled(ctx, id, token);
  const view = await viewOf(ctx, row);
  const transfers = view.legs.flatMap(({ transfer }) => (transfer ? [transfer] : []));
  const status = statusOf(view.payout, transfers, ctx.now());
  return {
    ...view,
    status,
    nextStep: nextStep(status === "pending_authorization", viewerOf(ctx.actor, row.ownerId)),
  };
}

/**
 * Creates one payout for each row, one after the other. A refused row changes nothing and does not stop the others. A file
 * that is sent again returns the existing payouts. Throws signature_required if paying the rows that are not approved yet
 * needs a signature; one signature covers the whole file.
 */
export async function createBatch(
  ctx: Ctx<Owner>,
  rows: readonly BatchRow[],
  isApproved: boolean,
  signature: Hex | undefined,
): Promise<BatchResult[]> {
  const signed = isApproved ? await confirmBatch(ctx, rows, signature) : new Set<BatchRow>();
  const results: BatchResult[] = [];
  for (const [index, row] of rows.entries()) {
    const payoutId = row.type === "invalid" ? null : (row.request.payoutId ?? null);
    const consent = signed.has(row) ? "signed_batch" : {};
    results.push({ index, payoutId, outcome: await createFromRow(ctx, row, isApproved, consent) });
  }
  return results;
}

/** The rows that `signature` covers; none if the rows that are not approved yet need no signature. */
async function confirmBatch(
  ctx: Ctx<Owner>,
  rows: readonly BatchRow[],
  signature: Hex | undefined,
): Promise<ReadonlySet<BatchRow>> {
  const payable = new Map<BatchRow, Awaited<ReturnType<typeof previewOwned>>>();
  for (const row of rows) {
    if (row.type === "invalid" || row.request.payoutId === undefined) continue;
    const preview = await catchRefusal(() => previewOwned(ctx, row.request));
    if (preview.type === "accepted") payable.set(row, preview.result);
  }
  const unapprovedRows = [...payable.values()].flatMap(({ row, isApproved }) => (isApproved ? [] : [row]));
  if (!(await needsSignature(ctx, unapprovedRows))) return new Set();
  const action = batchAction([...payable.values()].map(({ row }) => row));
  // The signature is used before the rows are paid, because each row is paid in a separate transaction.
  await confirmed(ctx, action, signature, (use) => ctx.db.transaction(use));
  return new Set(payable.keys());
}

async function createFromRow(
  ctx: Ctx<Owner>,
  row: BatchRow,
  isApproved: boolean,
  consent: Consent,
): Promise<Attempted<CreateResult>> {
  if (row.type === "invalid") return { type: "refused", error: edgeErrors.invalid_request(row.fault) };
  const { request } = row;
  if (request.payoutId === undefined) return { type: "refused", error: payoutErrors.payout_id_required() };
  return catchRefusal(() => createOwned(ctx, request, isApproved, consent));
}

async function catchRefusal<T>(work: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { type: "accepted", result: await work() };
  } catch (error) {
    if (error instanceof AppError) return { type: "refused", error: error };
    // Earlier rows are already paid: the response must contain their results.
    if (error instanceof ChainUnavailable) return { type: "refused", error: edgeErrors.unavailable(undefined, error) };
    throw error;
  }
}

export type PayoutOutcome = { payoutRecordId: PayoutId; outcome: PayoutView | AppError };

/**
 * Approves several payouts, each in its own transaction with its own outcome. If the pending ones together need a signature, one
 * signature covers all named payouts, and none is approved without it. Throws signature_required.
 */
export async function approveTogether(
  ctx: Ctx<Owner>,
  ids: readonly PayoutId[],
  { signature }: { signature?: Hex | undefined },
): Promise<PayoutOutcome[]> {
  const lookups = await Promise.all(ids.map((id) => orRefusal(() => findOwn(ctx, id))));
  const payouts = lookups.flatMap((lookup) => (lookup instanceof AppError ? [] : [lookup.payout]));
  const legs = await lists.legsOf(
    ctx.db,
    payouts.map(({ id }) => id),
  );
  const orders = payouts.map((payout) => ({ ...payout, legs: (legs.get(payout.id) ?? []).map(({ leg }) => leg) }));
  const waiting = orders.filter((order) => statusOf(order, [], ctx.now()) === "pending_authorization");
  const isSigned = await needsSignature(ctx, waiting);
  // The signature is used before the payouts are paid, because each is paid in a separate transaction. It covers all named payouts,
  // including those already decided, so that a repeated call needs the same signature.
  if (isSigned) await confirmed(ctx, togetherAction(orders), signature, (use) => ctx.db.transaction(use));
  const outcomes: PayoutOutcome[] = [];
  for (const [index, payoutRecordId] of ids.entries()) {
    const lookup = lookups[index];
    const outcome = await orRefusal(async () => {
      if (!lookup || lookup instanceof AppError) throw lookup ?? payoutErrors.payout_not_found();
      return approve(ctx, payoutRecordId, isSigned ? "signed_batch" : {});
    });
    outcomes.push({ payoutRecordId, outcome });
  }
  return outcomes;
}
