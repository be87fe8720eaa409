import { edgeErrors } from "@/lib/http/errors";
import { connectApp, listConnections, toConnectionItem } from "@/lib/oauth/contract";
import * as oauth from "@/lib/oauth/service";
import { route } from "@/lib/wiring";

export const GET = route(listConnections, async (ctx) => ({
  status: "ok" as const,
  connections: (await oauth.listConnections(ctx)).map(toConnectionItem),
}));

export const POST = route(connectApp, async (ctx, { body }) => {
  const { request, agentId, agentName, signature } = body;
  if ((agentId === undefined) === (agentName === undefined))
    throw edgeErrors.invalid_request({ message: "Send either agentId or agentName" });
  const choice = agentId === undefined ? { newAgentName: agentName ?? "" } : { agentId, signature };
  return { status: "ok" as const, redirectTo: await oauth.connect(ctx, request, choice) };
});
