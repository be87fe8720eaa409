import { callerOf } from "@/lib/http/caller";
import { createIntent } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(createIntent, async (ctx, { body }, req) => ({
  status: "ok" as const,
  ...(await mandates.createIntent(ctx, body.intent, callerOf(req))),
}));
