import { claimMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(claimMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.claim(ctx, params.mandateId, body.token);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});
