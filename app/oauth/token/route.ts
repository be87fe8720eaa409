import { reply } from "@/lib/core/endpoint";
import { readBytes } from "@/lib/http/body";
import { preflightOfHosts } from "@/lib/http/cors";
import { exchangeToken, FORM_BYTES_MAX } from "@/lib/oauth/contract";
import { exchange } from "@/lib/oauth/tokens";
import { isPaying, route } from "@/lib/wiring";

export const POST = route(exchangeToken, async (ctx, _input, req) => {
  const text = (await readBytes(req, FORM_BYTES_MAX)).toString("utf8");
  const response = await exchange(ctx, req.headers, text, isPaying);
  if (response.type === "issued") return reply(200, response.body);
  if (response.status === 400) return reply(400, response.body);
  return reply(401, response.body, { headers: { "WWW-Authenticate": response.challenge } });
});

export const OPTIONS = preflightOfHosts;
