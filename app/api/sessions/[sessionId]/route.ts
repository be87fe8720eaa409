import { endSession } from "@/lib/owners/contract";
import * as sessions from "@/lib/owners/sessions";
import { route } from "@/lib/wiring";

export const DELETE = route(endSession, async (ctx, { params }) => {
  await sessions.end(ctx, params.sessionId);
  return { status: "ok" as const };
});
