import { listAgents, toAgentItem } from "@/lib/agents/contract";
import { listOwned } from "@/lib/agents/service";
import { route } from "@/lib/wiring";

export const GET = route(listAgents, async (ctx) => {
  const owned = await listOwned(ctx);
  return { status: "ok" as const, agents: owned.map((agent) => toAgentItem(agent, ctx.config.baseUrl)) };
});
