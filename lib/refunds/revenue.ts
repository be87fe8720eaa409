import type { LinkId } from "@/lib/core/ids";
import { subtract, type Usdc } from "@/lib/core/money";
import { type LinkSales, salesOfLink } from "@/lib/links/sales/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import * as store from "./store";

/** `net`: the settled sales without what was refunded of them. Only transfers that the chain has shown count. */
export type LinkRevenue = LinkSales & { refunded: Usdc; refunds: number; net: Usdc };

/** What a link has brought in for the caller. */
export async function revenueOfLink(ctx: Ctx<Owner>, linkId: LinkId): Promise<LinkRevenue> {
  // In this order: a refund of a sale that settles in between is counted next time, so the rest is never negative.
  const back = await ctx.readOld((db) => store.refundedAtLink(db, ctx.actor.ownerId, linkId));
  const sales = await salesOfLink(ctx, linkId);
  return { ...sales, ...back, net: subtract(sales.volume, back.refunded) };
}
