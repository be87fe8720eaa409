import { listPasses, toSoldPass } from "@/lib/links/passes/contract";
import * as links from "@/lib/links/passes/service";
import { route } from "@/lib/wiring";

export const GET = route(listPasses, async (ctx, { params, query }) => {
  const { passes, next } = await links.listPasses(ctx, params.linkId, query);
  return {
    success: true as const,
    passes: passes.map((pass) => toSoldPass(pass, ctx.now())),
    nextCursor: next === null ? null : String(next),
  };
});
