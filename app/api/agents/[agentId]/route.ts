import { deleteAgent, toAgentItem, updateAgent } from "@/lib/agents/contract";
import { updateOwned } from "@/lib/agents/service";
import * as unlink from "@/lib/mandates/unlink";
import { route } from "@/lib/wiring";

export const PATCH = route(updateAgent, async (ctx, { params, body }) => {
  const agent = await updateOwned(ctx, params.agentId, body);
  return { status: "ok" as const, agent: toAgentItem(agent, ctx.config.baseUrl) };
});

export const DELETE = route(deleteAgent, async (ctx, { params }) => {
  const { isDeleted } = await unlink.deleteAgent(ctx, params.agentId);
  return { status: "ok" as const, agentId: params.agentId, isDeleted };
});
