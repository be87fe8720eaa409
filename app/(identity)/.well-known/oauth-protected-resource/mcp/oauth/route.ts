import { reply } from "@/lib/core/endpoint";
import { callMcpSignedIn, protectedResource, toProtectedResource } from "@/lib/mcp/contract";
import { CORS_HEADERS } from "@/lib/oauth/contract";
import { route } from "@/lib/wiring";

/** The address that RFC 9728 section 3.1 derives from the path of hosts that connect by OAuth only. */
export const GET = route(protectedResource, async ({ config }) =>
  reply(200, toProtectedResource(config.baseUrl, callMcpSignedIn), { headers: CORS_HEADERS }),
);

export { OPTIONS } from "../../route";
