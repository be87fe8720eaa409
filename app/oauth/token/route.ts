import { reply } from "@/lib/core/endpoint";
import { readBytes } from "@/lib/http/body";
import { CORS_HEADERS, exchangeToken, FORM_BYTES_MAX, preflight } from "@/lib/oauth/contract";
import { exchange } from "@/lib/oauth/tokens";
import { isPaying, route } from "@/lib/wiring";

export const POST = route(exchangeToken, async (ctx, _input, req) => {
  const text = (await readBytes(req, FORM_BYTES_MAX)).toString("utf8");
  const response = await exchange(ctx, req.headers, text, isPaying);
  const options = { headers: CORS_HEADERS };
  return response.type === "issued"
    ? reply(200, response.body, options)
    : reply(response.status, response.body, options);
});

export const OPTIONS = preflight;
