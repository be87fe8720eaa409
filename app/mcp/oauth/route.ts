import { refuseLogin } from "@/lib/identity/errors";
import { callMcpSignedIn, challenge } from "@/lib/mcp/contract";
import { handle } from "@/lib/mcp/handle";
import { route, system } from "@/lib/wiring";
import * as handlers from "../handlers";

const respond = route(callMcpSignedIn, (ctx, _input, req) => {
  if (!req.headers.has("authorization")) throw refuseLogin("missing_bearer");
  return handle(ctx, req, handlers);
});

export async function POST(req: Request): Promise<Response> {
  const response = await respond(req);
  if (response.status === 401)
    response.headers.set("WWW-Authenticate", challenge(system().config.baseUrl, callMcpSignedIn));
  return response;
}

export { DELETE, GET } from "../route";
