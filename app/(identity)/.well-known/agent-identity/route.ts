import { reply } from "@/lib/core/endpoint";
import { getAgentIdentity, publicHeaders } from "@/lib/identity/contract";
import { agentIdentity } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const GET = route(getAgentIdentity, async (ctx) => reply(200, agentIdentity(ctx), { headers: publicHeaders }));
