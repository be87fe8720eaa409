import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import type { LinkId } from "@/lib/core/ids";
import { type Cursor, type CursorPage, cutAfter } from "@/lib/core/page";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import { listEvents, type PastEvent } from "@/lib/platform/events";
import { takeTurn } from "@/lib/platform/limiter";
import type { Settlement } from "@/lib/settlements/service";
import { linkErrors } from "../errors";
import type { Link } from "../rules";
import * as store from "./store";

export type { AttemptCursor } from "./store";

/** A step of the checkout, as reported by the visitor's browser. */
export type VisitStep = { visitId: string } & (
  | { step: "viewed" | "connected" }
  | { step: "signed"; payer: Address; nonce: Hex }
);

/**
 * Records a step of a visit and all earlier steps. Anyone who knows a link can invent visits, so new visits are limited by
 * `visit_per_link`; those above the limit are silently dropped. Throws LINK_NOT_FOUND.
 */
export async function recordVisit(system: System, linkId: LinkId, visit: VisitStep): Promise<void> {
  const isKnown = await store.isKnownVisit(system.db, linkId, visit.visitId);
  if (isKnown === null) throw linkErrors.LINK_NOT_FOUND();
  if (!isKnown && (await takeTurn(system, "visit_per_link", linkId)) !== null) return;
  const time = system.now();
  const { visitId, step } = visit;
  await store.putVisit(system.db, {
    linkId,
    visitId,
    viewedAt: time,
    ...(step !== "viewed" && { connectedAt: time }),
    ...(step === "signed" && { signedAt: time, payer: visit.payer, nonce: visit.nonce }),
  });
}

/** Maximum per link; older ones are deleted, because anyone can present invalid proofs. */
const REFUSALS_KEPT = 500;

/** Records why a proof was rejected at a link, for its owner. Never throws. */
export async function recordRefusal(
  system: System,
  linkId: LinkId,
  { code, payer }: { code: string; payer: Address | null },
): Promise<void> {
  try {
    if ((await takeTurn(system, "refusal_per_link", linkId)) !== null) return;
    await store.addRefusal(system.db, { linkId, code, payer, createdAt: system.now() }, REFUSALS_KEPT);
  } catch (err) {
    // The payer's response is already decided, and a failure to record it must not change it.
    system.log.warn({ linkId, err }, "link.refusal_write_failed");
  }
}

/** Number of visits that reached each step. `byAgents`: settled payments without a visit, usually by agents. */
export type Funnel = { viewed: number; connected: number; signed: number; settled: number; byAgents: number };

/** Counts visits that started since `since`. Throws LINK_NOT_FOUND. */
export async function funnel(ctx: Ctx<Owner>, linkId: LinkId, since: Date): Promise<Funnel> {
  const link = await getOwned(ctx, linkId);
  const [visits, paymentCounts] = await Promise.all([
    store.countVisits(ctx.db, linkId, since),
    store.countSettled(ctx.db, link, since),
  ]);
  return { ...visits, ...paymentCounts };
}

/** A proof presented at a link. */
export type LinkAttempt =
  | { type: "accepted"; presentedAt: Date; settlement: Settlement }
  | { type: "refused"; presentedAt: Date; refusal: store.LinkRefusal };
export type AttemptList = { rows: LinkAttempt[]; next: store.AttemptCursor | null };

/** Newest first. Throws LINK_NOT_FOUND. */
export async function attempts(ctx: Ctx<Owner>, linkId: LinkId, page: store.AttemptPage): Promise<AttemptList> {
  await getOwned(ctx, linkId);
  const query = { ...page, limit: page.limit + 1 };
  const [accepted, refusals] = await Promise.all([
    store.listPayments(ctx.db, linkId, query),
    store.listRefusals(ctx.db, linkId, query),
  ]);
  // The sort is stable: payments stay before refusals of the same time, as AttemptCursor assumes.
  const all = [
    ...accepted.map((settlement): LinkAttempt => ({ type: "accepted", presentedAt: settlement.createdAt, settlement })),
    ...refusals.map((refusal): LinkAttempt => ({ type: "refused", presentedAt: refusal.createdAt, refusal })),
  ].sort((a, b) => b.presentedAt.getTime() - a.presentedAt.getTime());
  const rows = all.slice(0, page.limit);
  const last = all.length > page.limit ? rows.at(-1) : undefined;
  if (!last) return { rows, next: null };
  return { rows, next: { at: last.presentedAt, id: last.type === "accepted" ? last.settlement.id : last.refusal.id } };
}

/** Newest first: events of a link and of `relatedIds`, such as its refunds; without its payments. Throws LINK_NOT_FOUND. */
export async function trail(
  ctx: Ctx<Owner>,
  linkId: LinkId,
  {
    relatedIds = [],
    after: cursor,
    limit,
  }: { relatedIds?: readonly string[]; after?: Cursor | undefined; limit: number },
): Promise<CursorPage<PastEvent>> {
  const { agentId, createdAt } = await getOwned(ctx, linkId);
  const filter = {
    ownerId: ctx.actor.ownerId,
    agentIds: [agentId],
    agentId,
    about: { subjects: [linkId, ...relatedIds], since: createdAt, except: "payment_link.paid" },
    after: cursor,
    limit: limit + 1,
  };
  const rows = await ctx.readOld((db) => listEvents(db, filter));
  return cutAfter(rows, limit, (event) => ({ time: event.createdAt, id: event.id }));
}

async function getOwned({ db, actor }: Ctx<Owner>, linkId: LinkId): Promise<Link> {
  const link = await store.findOwned(db, actor.ownerId, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  return link;
}
