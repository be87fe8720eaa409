import { hash } from "node:crypto";
import type { Address } from "@/lib/core/address";
import type { AppError } from "@/lib/core/errors";
import type { AgentId, OwnerId, PayoutId } from "@/lib/core/ids";
import { type CursorPage, cutAfter } from "@/lib/core/page";
import { findExceededCap } from "@/lib/mandates/caps/charge";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { type KeyFor, keysFor } from "@/lib/platform/secrets";
import { type ApprovalSummary, summarize } from "@/lib/platform/summary";
import { viewerOf } from "@/lib/platform/visit";
import { payoutErrors } from "./errors";
import * as lists from "./list-store";
import { askedWords, statusOf } from "./rules";
import type * as store from "./store";

/** A payout with its legs. `readTo`: the last block read of its chain, null before the first. */
export type PayoutView = store.PayoutWithParties & { legs: store.FullLeg[]; readTo: bigint | null };

export type CreateResult = { view: PayoutView; isNew: boolean };

/** `refused`: nothing was done, or the error says that the outcome is unknown. */
export type Attempted<T> = { type: "accepted"; result: T } | { type: "refused"; error: AppError };

/** The result of one row of a file: the payout, or why there is none. */
export type BatchResult = { index: number; payoutId: string | null; outcome: Attempted<CreateResult> };

/** Throws payout_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, payoutId: string): Promise<PayoutView> {
  const row = await lists.findForAgent(ctx.db, ctx.actor.agentId, payoutId);
  if (!row) throw payoutErrors.payout_not_found();
  return viewOf(ctx, row);
}

/** For a caller without a login. Throws payout_not_found, also if several agents use this payoutId. */
export async function getOnly(system: System, payoutId: string): Promise<PayoutView> {
  const row = await lists.findOnly(system.db, payoutId);
  if (row === "several") throw payoutErrors.payout_not_found({ message: SEVERAL });
  if (!row) throw payoutErrors.payout_not_found();
  return viewOf(system, row);
}

const SEVERAL =
  "Several agents use this payoutId, so it names no payout without a login. Yours may exist: read it with the login JWT before you pay again";

export type PayoutPage = CursorPage<PayoutView>;

/** Newest first. */
export async function listForAgent(
  ctx: Ctx<Agent>,
  filter: Pick<lists.PayoutFilter, "status" | "network" | "bizId">,
  { after: cursor, limit }: Omit<lists.PayoutSlice, "now">,
): Promise<PayoutPage> {
  const slice = { now: ctx.now(), after: cursor, limit: limit + 1 };
  return pageOf(ctx, await lists.listForAgent(ctx.db, ctx.actor.agentId, filter, slice), limit);
}

/** Cuts a page of `limit` payouts. `results` has one more if the list continues. */
export async function pageOf(
  system: System,
  results: readonly store.PayoutWithParties[],
  limit: number,
): Promise<PayoutPage> {
  const { rows, next } = cutAfter(results, limit, ({ payout }) => ({ time: payout.createdAt, id: payout.id }));
  return { rows: await viewsOf(system, rows), next };
}

async function viewsOf({ db }: System, rows: readonly store.PayoutWithParties[]): Promise<PayoutView[]> {
  const ids = rows.map(({ payout }) => payout.id);
  const [legs, readTo] = await Promise.all([lists.legsOf(db, ids), lists.readTo(db)]);
  return rows.map((row) => ({
    ...row,
    legs: legs.get(row.payout.id) ?? [],
    readTo: readTo.get(row.payout.network) ?? null,
  }));
}

export async function viewOf(system: System, row: store.PayoutWithParties): Promise<PayoutView> {
  const [view] = await viewsOf(system, [row]);
  if (!view) throw payoutErrors.payout_not_found();
  return view;
}

type Waiting = Pick<PayoutView["payout"], "network" | "amount" | "description" | "bizId" | "expiresAt"> & {
  agentId: AgentId;
  agentName: string;
  ownerId: OwnerId | null;
  payees: readonly Address[];
};

/** The summary of a payout that an agent asks for. `db`: the transaction that writes it, if there is one. */
export async function summarizeWaiting(
  system: System,
  db: Queryable,
  { bizId, description, agentId, ...asked }: Waiting,
): Promise<ApprovalSummary> {
  const { ownerId, network, amount } = asked;
  return summarize(system, db, {
    ...asked,
    kind: "payout",
    words: askedWords,
    reason: description === "" ? (bizId ?? "") : description,
    host: null,
    resource: null,
    mandate: null,
    exceededCap: ownerId && (await findExceededCap(system, db, { ownerId, agentId, network, amount }, system.now())),
  });
}

/** What the owner is asked; null if the payout does not wait for them, or nobody but them asked for it. */
export async function summaryOf(system: System, view: PayoutView): Promise<ApprovalSummary | null> {
  const { payout, agentName, ownerId, legs } = view;
  const { agentId } = payout;
  if (agentId === null || agentName === null || statusOf(payout, [], system.now()) !== "pending_authorization")
    return null;
  const { network, amount, description, bizId, expiresAt } = payout;
  const payees = legs.map(({ leg }) => leg.toAddress);
  const asked = { network, amount, description, bizId, expiresAt, agentId, agentName, ownerId, payees };
  return summarizeWaiting(system, system.db, asked);
}

export async function getById(system: System, id: PayoutId): Promise<PayoutView> {
  const row = await lists.find(system.db, id);
  if (!row) throw payoutErrors.payout_not_found();
  return viewOf(system, row);
}

/** The token in each payout's approvalUrl, derived from its id: a repeated request returns the same URL. */
export const tokens = (system: System): Promise<KeyFor> => keysFor(system, "who may decide on a payout");

/** Requires the token of the approvalUrl or a session of the payout's owner. Throws payout_not_found. */
export async function findEntitled(
  ctx: Ctx,
  id: PayoutId,
  token: string | undefined,
): Promise<store.PayoutWithParties> {
  const row = await lists.find(ctx.db, id);
  const isLinkable = row !== null && row.payout.agentId !== null && token !== undefined;
  // Compares hashes, so that the time of the comparison reveals nothing about the token.
  const isToken = isLinkable && hash("sha256", token) === hash("sha256", (await tokens(ctx))(id));
  if (!row || !(isToken || viewerOf(ctx.actor, row.ownerId) === "owner")) throw payoutErrors.payout_not_found();
  return row;
}

/** Throws payout_not_found. */
export async function findOwn(ctx: Ctx<Owner>, id: PayoutId): Promise<store.PayoutWithParties> {
  const row = await lists.find(ctx.db, id);
  if (!row || row.ownerId !== ctx.actor.ownerId) throw payoutErrors.payout_not_found();
  return row;
}
