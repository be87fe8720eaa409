import { preflightOfHosts } from "@/lib/http/cors";
import { protectedResource, toProtectedResource } from "@/lib/mcp/contract";
import { route } from "@/lib/wiring";

export const GET = route(protectedResource, async ({ config }) => toProtectedResource(config.baseUrl));

export const OPTIONS = preflightOfHosts;
