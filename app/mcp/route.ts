import { callMcp, challenge } from "@/lib/mcp/contract";
import { handle } from "@/lib/mcp/handle";
import { route, system } from "@/lib/wiring";
import * as handlers from "./handlers";

const respond = route(callMcp, (ctx, _input, req) => handle(ctx, req, handlers));

export async function POST(req: Request): Promise<Response> {
  const response = await respond(req);
  if (response.status === 401) response.headers.set("WWW-Authenticate", challenge(system().config.baseUrl, callMcp));
  return response;
}

/** Stateless: there is no stream to open and no session to end. */
const notAllowed = () =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "Only POST is allowed" } },
    { status: 405, headers: { Allow: "POST" } },
  );

export const GET = notAllowed;
export const DELETE = notAllowed;
