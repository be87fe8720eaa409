import { reply } from "@/lib/core/endpoint";
import { encodeCursor } from "@/lib/core/page";
import { createPayout, listPayouts } from "@/lib/payouts/contract";
import { toPayoutItem, toPayoutResponse } from "@/lib/payouts/responses";
import * as payouts from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const GET = route(listPayouts, async (ctx, { query: { limit, cursor, ...filter } }) => {
  const { rows, next } = await payouts.listForAgent(ctx, filter, { limit, after: cursor });
  const tokenOf = await payouts.tokens(ctx);
  return {
    status: "ok" as const,
    payouts: rows.map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now(), tokenOf(view.payout.id))),
    nextCursor: next && encodeCursor(next),
  };
});

export const POST = route(createPayout, async (ctx, { body }) => {
  const { view, isNew } = await payouts.create(ctx, body);
  const token = (await payouts.tokens(ctx))(view.payout.id);
  const item = toPayoutItem(view, ctx.config.baseUrl, ctx.now(), token);
  const payout = toPayoutResponse(item, await payouts.summaryOf(ctx, view));
  return isNew ? reply(201, payout) : reply(200, payout);
});
