import { listReceivedPayments, presentReceived } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";

export const GET = route(listReceivedPayments, async (ctx, { query: { cursor, offset, limit } }) => {
  const { rows, next } = await links.listReceived(ctx, { before: cursor, offset, limit });
  return {
    success: true as const,
    payments: rows.map((row) => presentReceived(row, ctx.config.baseUrl)),
    nextCursor: next === null ? null : String(next),
  };
});
