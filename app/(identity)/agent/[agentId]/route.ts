import { getAgentCard } from "@/lib/identity/contract";
import { describeAgent } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(getAgentCard, async (ctx, { params }) => {
  const { agentId, name, createdAt, isLinked } = await describeAgent(ctx, params.agentId);
  return { agent_id: agentId, agent_name: name, created_at: createdAt, wallet_linked: isLinked };
});
