import { listRefunds, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listRefunds, async (ctx, { query: { cursor, offset, limit } }) => {
  const { views, next } = await refunds.list(ctx, { before: cursor, offset, limit });
  return {
    success: true as const,
    refunds: views.map((view) => toRefundItem(view, ctx.config.baseUrl, ctx.now())),
    nextCursor: next === null ? null : String(next),
  };
});
