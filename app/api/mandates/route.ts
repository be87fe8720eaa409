import { listMandates } from "@/lib/mandates/contract";
import { encodeMandateCursor } from "@/lib/mandates/cursor";
import { assertLinked, listForAgent } from "@/lib/mandates/lists";
import { agentStatus, tokens, viewsOf } from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(listMandates, async (ctx, { query: { cursor, limit } }) => {
  await assertLinked(ctx);
  const { rows, next } = await listForAgent(ctx, { after: cursor, limit });
  const tokenOf = await tokens(ctx);
  return {
    status: "ok" as const,
    agentStatus: agentStatus(ctx.actor),
    mandates: await viewsOf(ctx, rows, tokenOf),
    nextCursor: next && encodeMandateCursor(next),
  };
});
