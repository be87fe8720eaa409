import { rotateAgentToken } from "@/lib/agents/contract";
import { rotateOwned } from "@/lib/agents/tokens";
import { route } from "@/lib/wiring";

export const POST = route(rotateAgentToken, async (ctx, { params: { agentId }, body }) => {
  const { token, oldTokenUntil } = await rotateOwned(ctx, agentId, body);
  return { status: "ok" as const, agentId, token, oldTokenUntil };
});
