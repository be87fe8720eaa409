import { endConnection } from "@/lib/oauth/contract";
import * as oauth from "@/lib/oauth/service";
import { route } from "@/lib/wiring";

export const DELETE = route(endConnection, async (ctx, { params: { connectionId } }) => {
  await oauth.endConnection(ctx, connectionId);
  return { status: "ok" as const, connectionId };
});
