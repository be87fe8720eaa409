import { listCalls, toCallView, toFigures } from "@/lib/links/upstream/contract";
import * as upstreams from "@/lib/links/upstream/service";
import { route } from "@/lib/wiring";

export const GET = route(listCalls, async (ctx, { params }) => {
  const { calls, figures } = await upstreams.listCalls(ctx, params.linkId);
  return { success: true as const, figures: toFigures(figures), calls: calls.map(toCallView) };
});
