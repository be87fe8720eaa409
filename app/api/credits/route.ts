import { getCredits, toCreditsResponse } from "@/lib/credits/contract";
import { balanceOf, history } from "@/lib/credits/service";
import { route } from "@/lib/wiring";

const PAGE = 50;

export const GET = route(getCredits, async (ctx, { query }) => {
  const [balance, page] = await Promise.all([
    balanceOf(ctx.db, ctx.actor.ownerId),
    history(ctx, { after: query.cursor, limit: PAGE }),
  ]);
  return toCreditsResponse(balance, page);
});
