import { reply } from "@/lib/core/endpoint";
import { protectedResource, toProtectedResource } from "@/lib/mcp/contract";
import { CORS_HEADERS, preflight } from "@/lib/oauth/contract";
import { route } from "@/lib/wiring";

export const GET = route(protectedResource, async ({ config }) =>
  reply(200, toProtectedResource(config.baseUrl), { headers: CORS_HEADERS }),
);

export const OPTIONS = preflight;
