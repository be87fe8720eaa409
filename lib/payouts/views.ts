import { createHash } from "node:crypto";
import type { PayoutId } from "@/lib/core/ids";
import { type CursorPage, cutAfter } from "@/lib/core/page";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import { type KeyFor, keysFor } from "@/lib/platform/secrets";
import { viewerOf } from "@/lib/platform/visit";
import { payoutErrors } from "./errors";
import * as lists from "./list-store";
import type * as store from "./store";

/** A payout, the state of its legs, and how far its chain has been read. */
export type PayoutView = store.MadePayout & { legs: store.FullLeg[]; readTo: bigint | null };

/** Throws payout_not_found. */
export async function getForAgent(ctx: Ctx<Agent>, payoutId: string): Promise<PayoutView> {
  const made = await lists.findForAgent(ctx.db, ctx.actor.agentId, payoutId);
  if (!made) throw payoutErrors.payout_not_found();
  return viewOf(ctx, made);
}

/** For a caller without a login: a name that several payouts have finds none. Throws payout_not_found. */
export async function getOnly(system: System, payoutId: string): Promise<PayoutView> {
  const made = await lists.findOnly(system.db, payoutId);
  if (!made) throw payoutErrors.payout_not_found();
  return viewOf(system, made);
}

export type PayoutPage = CursorPage<PayoutView>;

/** Newest first. */
export async function listForAgent(
  ctx: Ctx<Agent>,
  filter: Pick<lists.Filter, "status" | "network" | "bizId">,
  { after, limit }: Omit<lists.Slice, "now">,
): Promise<PayoutPage> {
  const slice = { now: ctx.now(), after, limit: limit + 1 };
  return pageOf(ctx, await lists.listForAgent(ctx.db, ctx.actor.agentId, filter, slice), limit);
}

/** The first `limit` of what was read, of which there is one more when the list goes on. */
export async function pageOf(system: System, made: readonly store.MadePayout[], limit: number): Promise<PayoutPage> {
  const { rows, next } = cutAfter(made, limit, ({ payout }) => ({ at: payout.createdAt, id: payout.id }));
  return { rows: await viewsOf(system, rows), next };
}

async function viewsOf({ db }: System, made: readonly store.MadePayout[]): Promise<PayoutView[]> {
  const ids = made.map(({ payout }) => payout.id);
  const [legs, readTo] = await Promise.all([lists.legsOf(db, ids), lists.readTo(db)]);
  return made.map((row) => ({
    ...row,
    legs: legs.get(row.payout.id) ?? [],
    readTo: readTo.get(row.payout.network) ?? null,
  }));
}

export async function viewOf(system: System, made: store.MadePayout): Promise<PayoutView> {
  const [view] = await viewsOf(system, [made]);
  if (!view) throw payoutErrors.payout_not_found();
  return view;
}

export async function getById(system: System, id: PayoutId): Promise<PayoutView> {
  const made = await lists.find(system.db, id);
  if (!made) throw payoutErrors.payout_not_found();
  return viewOf(system, made);
}

/** What the approvalUrl of each payout carries: an agent that asks again gets the same address. */
export const tokens = (system: System): Promise<KeyFor> => keysFor(system, "who may decide on a payout");

/** Requires the token of the approvalUrl or a session of the payout's owner. Throws payout_not_found. */
export async function findEntitled(ctx: Ctx, id: PayoutId, token: string | undefined): Promise<store.MadePayout> {
  const made = await lists.find(ctx.db, id);
  const isToken =
    made !== null && made.payout.agentId !== null && token !== undefined && isSame(token, (await tokens(ctx))(id));
  if (!made || !(isToken || viewerOf(ctx.actor, made.ownerId) === "owner")) throw payoutErrors.payout_not_found();
  return made;
}

/** Throws payout_not_found. */
export async function findOwn(ctx: Ctx<Owner>, id: PayoutId): Promise<store.MadePayout> {
  const made = await lists.find(ctx.db, id);
  if (!made || made.ownerId !== ctx.actor.ownerId) throw payoutErrors.payout_not_found();
  return made;
}

/** Compared by their hashes, which are of one length and tell nothing of the token by the time it takes. */
const isSame = (a: string, b: string): boolean => hashOf(a) === hashOf(b);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
