import { endOtherSessions, listSessions, toSessionItem } from "@/lib/owners/contract";
import * as sessions from "@/lib/owners/sessions";
import { route } from "@/lib/wiring";

export const GET = route(listSessions, async (ctx) => ({
  status: "ok" as const,
  sessions: (await sessions.list(ctx)).map(toSessionItem),
}));

export const DELETE = route(endOtherSessions, async (ctx) => ({
  status: "ok" as const,
  ended: await sessions.endOthers(ctx),
}));
