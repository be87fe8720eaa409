import { callMcpSignedIn, protectedResource, toProtectedResource } from "@/lib/mcp/contract";
import { route } from "@/lib/wiring";

/** The address that RFC 9728 section 3.1 derives from the path of hosts that connect by OAuth only. */
export const GET = route(protectedResource, async ({ config }) => toProtectedResource(config.baseUrl, callMcpSignedIn));

export { OPTIONS } from "../../route";
