import { reply } from "@/lib/core/endpoint";
import { readBytes } from "@/lib/http/body";
import { preflightOfHosts } from "@/lib/http/cors";
import { FORM_BYTES_MAX, revokeToken } from "@/lib/oauth/contract";
import { revoke } from "@/lib/oauth/tokens";
import { route } from "@/lib/wiring";

export const POST = route(revokeToken, async (ctx, _input, req) => {
  const form = new URLSearchParams((await readBytes(req, FORM_BYTES_MAX)).toString("utf8"));
  const token = form.get("token");
  if (token === null) return reply(400, { error: "invalid_request", error_description: "token is missing" });
  await revoke(ctx, token);
  return reply(200, {});
});

export const OPTIONS = preflightOfHosts;
