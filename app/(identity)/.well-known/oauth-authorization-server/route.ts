import { reply } from "@/lib/core/endpoint";
import { authorizationServer, CORS_HEADERS, preflight, toServerMetadata } from "@/lib/oauth/contract";
import { route } from "@/lib/wiring";

export const GET = route(authorizationServer, async ({ config }) =>
  reply(200, toServerMetadata(config.baseUrl), { headers: CORS_HEADERS }),
);

export const OPTIONS = preflight;
