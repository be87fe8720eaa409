import { preflightOfHosts } from "@/lib/http/cors";
import { authorizationServer, toServerMetadata } from "@/lib/oauth/contract";
import { route } from "@/lib/wiring";

export const GET = route(authorizationServer, async ({ config }) => toServerMetadata(config.baseUrl));

export const OPTIONS = preflightOfHosts;
