import { listMandates, presentMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(listMandates, async (ctx) => {
  const rows = await mandates.listForAgent(ctx);
  return {
    status: "ok" as const,
    agentStatus: mandates.agentStatus(ctx.actor),
    mandates: rows.map((row) => presentMandate(row, ctx.now(), ctx.config.baseUrl)),
  };
});
