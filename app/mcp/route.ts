import { browserHeaders, preflightOfHosts } from "@/lib/http/cors";
import type { Handler } from "@/lib/mcp/api";
import { callMcp } from "@/lib/mcp/contract";
import { handle } from "@/lib/mcp/handle";
import { route } from "@/lib/wiring";
import * as handlers from "./handlers";

export const POST: Handler = route(callMcp, (ctx, _input, req) => handle(ctx, req, handlers, POST));

/** Stateless: there is no stream to open and no session to end. */
const notAllowed = () =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "Only POST is allowed" } },
    {
      status: 405,
      headers: [...browserHeaders.map(([name, value]): [string, string] => [name, value]), ["Allow", "POST"]],
    },
  );

export const GET = notAllowed;
export const DELETE = notAllowed;
export const OPTIONS = preflightOfHosts;
