import { listReceivedPayments, presentReceived } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { refundedOf } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listReceivedPayments, async (ctx, { query: { cursor, offset, limit } }) => {
  const { rows, next } = await links.listReceived(ctx, { before: cursor, offset, limit });
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
