import { getAgentIdentity, publicHeaders } from "@/lib/identity/contract";
import { agentIdentity } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(getAgentIdentity, async (ctx) =>
  Response.json(agentIdentity(ctx), { headers: publicHeaders }),
);
