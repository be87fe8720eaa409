import type { LinkId } from "@/lib/core/ids";
import { subtract, type Usdc } from "@/lib/core/money";
import { type LinkSales, salesOfLink } from "@/lib/links/sales/service";
import type { Ctx, Owner } from "@/lib/platform/context";
import * as store from "./store";

/** `net`: settled sales minus settled refunds. */
export type LinkRevenue = LinkSales & { refunded: Usdc; refunds: number; net: Usdc };

export async function revenueOfLink(ctx: Ctx<Owner>, linkId: LinkId): Promise<LinkRevenue> {
  // Refunds are read first: a refund that settles in between is counted next time, so `net` is never negative.
  const back = await ctx.readOld((db) => store.refundedAtLink(db, ctx.actor.ownerId, linkId));
  const sales = await salesOfLink(ctx, linkId);
  return { ...sales, ...back, net: subtract(sales.volume, back.refunded) };
}
