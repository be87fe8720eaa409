import type { LinkId, SettlementId } from "@/lib/core/ids";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import { linkErrors } from "../errors";
import * as linkStore from "../store";
import * as store from "./store";

export type { Received, SoldRow } from "./store";

export type ReceivedList = { rows: store.Received[]; next: number | null };

/** Payments at every link and at the UPL, or at one link; newest first. */
export async function listReceived(
  { db, actor }: Ctx<Agent>,
  page: store.ReceivedPage & { linkId?: LinkId },
): Promise<ReceivedList> {
  const rows = await store.listReceived(db, actor.agentId, { ...page, limit: page.limit + 1 });
  const pageRows = rows.slice(0, page.limit);
  return { rows: pageRows, next: rows.length > page.limit ? (pageRows.at(-1)?.received.id ?? null) : null };
}

/** Payments of one link, newest first. Throws LINK_NOT_FOUND. */
export async function listPayments(ctx: Ctx<Agent>, linkId: LinkId, page: store.ReceivedPage): Promise<ReceivedList> {
  if (!(await linkStore.findOwn(ctx.db, ctx.actor.agentId, linkId))) throw linkErrors.LINK_NOT_FOUND();
  return listReceived(ctx, { ...page, linkId });
}

/** Throws PAYMENT_NOT_FOUND. */
export async function getReceived({ db, actor }: Ctx<Agent>, id: number): Promise<store.Received> {
  const row = await store.findReceived(db, actor.agentId, id);
  if (!row) throw linkErrors.PAYMENT_NOT_FOUND();
  return row;
}

/** The link's data for the receipt of a settlement; null unless the settlement paid a link. */
export const soldWith = ({ db }: Pick<System, "db">, id: SettlementId): Promise<store.SoldRow | null> =>
  store.soldWith(db, id);
