import { deleteAgent, presentAgent, updateAgent } from "@/lib/agents/contract";
import { deleteOwned, updateOwned } from "@/lib/agents/service";
import { route } from "@/lib/wiring";

export const PATCH = route(updateAgent, async (ctx, { params, body }) => {
  const agent = await updateOwned(ctx, params.agentId, body);
  return { status: "ok" as const, agent: presentAgent(agent, ctx.config.baseUrl) };
});

export const DELETE = route(deleteAgent, async (ctx, { params }) => {
  await deleteOwned(ctx, params.agentId);
  return { status: "ok" as const, agentId: params.agentId };
});
