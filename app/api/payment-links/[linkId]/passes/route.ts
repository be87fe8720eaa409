import { listPasses, toSoldPass } from "@/lib/links/passes/contract";
import * as passes from "@/lib/links/passes/service";
import { route } from "@/lib/wiring";

export const GET = route(listPasses, async (ctx, { params }) => {
  const sold = await passes.listPasses(ctx, params.linkId);
  return { success: true as const, passes: sold.map((pass) => toSoldPass(pass, ctx.now())) };
});
