import { reply } from "@/lib/core/endpoint";
import { CORS_HEADERS, preflight, registerApp, toAppResponse, toMetadataError } from "@/lib/oauth/contract";
import * as oauth from "@/lib/oauth/service";
import { route } from "@/lib/wiring";

export const POST = route(registerApp, async (ctx, { body }) => {
  const app = await oauth.registerApp(ctx, body);
  const options = { headers: CORS_HEADERS };
  return typeof app === "string" ? reply(400, toMetadataError(app), options) : reply(201, toAppResponse(app), options);
});

export const OPTIONS = preflight;
