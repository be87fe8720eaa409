import { getCredits, presentCredits } from "@/lib/credits/contract";
import { balanceOf, history } from "@/lib/credits/service";
import { route } from "@/lib/wiring";

const PAGE = 50;

export const GET = route(getCredits, async (ctx, { query }) => {
  const [balance, { rows, next }] = await Promise.all([
    balanceOf(ctx.db, ctx.actor.ownerId),
    history(ctx, { before: query.before, limit: PAGE }),
  ]);
  return presentCredits(balance, rows, next);
});
