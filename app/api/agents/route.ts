import { createOwnedAgent, listAgents, toAgentItem } from "@/lib/agents/contract";
import { createOwned, listOwned } from "@/lib/agents/service";
import { route } from "@/lib/wiring";

export const GET = route(listAgents, async (ctx) => {
  const owned = await listOwned(ctx);
  return { status: "ok" as const, agents: owned.map((agent) => toAgentItem(agent, ctx.config.baseUrl)) };
});

export const POST = route(createOwnedAgent, async (ctx, { body }) => {
  const { owned, token } = await createOwned(ctx, body.name);
  return { status: "ok" as const, agent: toAgentItem(owned, ctx.config.baseUrl), token };
});
