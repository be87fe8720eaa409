import { reply } from "@/lib/core/endpoint";
import { encodeCursor } from "@/lib/core/page";
import { createOwnedPayout, filterOf, listOwnedPayouts } from "@/lib/payouts/owner/contract";
import { list } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { createOwned } from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const GET = route(listOwnedPayouts, async (ctx, { query: { limit, cursor, ...filter } }) => {
  const { rows, next } = await list(ctx, filterOf(filter), { limit, after: cursor });
  return {
    status: "ok" as const,
    payouts: rows.map((view) => toPayoutItem(view, ctx.config.baseUrl, ctx.now())),
    nextCursor: next && encodeCursor(next),
  };
});

export const POST = route(createOwnedPayout, async (ctx, { body: { approve, signature, ...terms } }) => {
  const { view, isNew } = await createOwned(ctx, terms, approve, { signature });
  const response = { status: "ok" as const, payout: toPayoutItem(view, ctx.config.baseUrl, ctx.now()) };
  return isNew ? reply(201, response) : reply(200, response);
});
