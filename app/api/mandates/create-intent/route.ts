import { createIntent } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(createIntent, async (ctx, { body }) => ({
  status: "ok" as const,
  ...(await mandates.createIntent(ctx, body.intent)),
}));
