import type { Handler } from "@/lib/mcp/api";
import { callMcpSignedIn } from "@/lib/mcp/contract";
import { handle } from "@/lib/mcp/handle";
import { refuseWithoutToken } from "@/lib/mcp/log-in";
import { route } from "@/lib/wiring";
import * as handlers from "../handlers";

export const POST: Handler = route(callMcpSignedIn, (ctx, _input, req) => {
  if (ctx.actor.type === "anonymous") throw refuseWithoutToken();
  return handle(ctx, req, handlers, POST);
});

export { DELETE, GET, OPTIONS } from "../route";
