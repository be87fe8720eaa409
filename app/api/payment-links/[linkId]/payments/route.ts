import { listLinkPayments, presentReceived } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { refundedOf } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listLinkPayments, async (ctx, { params, query }) => {
  const page = { before: query.cursor, limit: query.limit };
  const { rows, next } = await links.listPayments(ctx, params.linkId, page);
  const refunded = await refundedOf(
    ctx,
    rows.map((row) => row.received.id),
  );
  return {
    success: true as const,
    payments: rows.map((row) => presentReceived(row, ctx.config.baseUrl, refunded.get(row.received.id))),
    nextCursor: next === null ? null : String(next),
  };
});
