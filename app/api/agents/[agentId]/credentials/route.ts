import { issueCredentialForAgent as endpoint, requestOf, toIssuedResponse } from "@/lib/identity/contract";
import { issueCredentialForAgent } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const POST = route(endpoint, async (ctx, { params, body }) => {
  const issued = await issueCredentialForAgent(ctx, params.agentId, requestOf(body));
  return { status: "ok" as const, ...toIssuedResponse(issued) };
});
