import { reply } from "@/lib/core/endpoint";
import { preflightOfHosts } from "@/lib/http/cors";
import { registerApp, toAppResponse, toMetadataError } from "@/lib/oauth/contract";
import * as oauth from "@/lib/oauth/service";
import { route } from "@/lib/wiring";

export const POST = route(registerApp, async (ctx, { body }) => {
  const app = await oauth.registerApp(ctx, body);
  return typeof app === "string" ? reply(400, toMetadataError(app)) : reply(201, toAppResponse(app));
});

export const OPTIONS = preflightOfHosts;
