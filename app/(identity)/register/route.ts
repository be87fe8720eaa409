import { registerAgent } from "@/lib/identity/contract";
import { register } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const POST = route(registerAgent, async (ctx, { body }) => {
  const { agent_name: agentName, client_info: clientInfo, email } = body;
  const { agentId, token, jwt } = await register(ctx, { agentName, clientInfo, email: email ?? null });
  return { agent_id: agentId, token, jwt };
});
