import { claimMandate } from "@/lib/mandates/contract";
import { toMandateView } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(claimMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.claim(ctx, params.mandateId, body.token);
  return { status: "ok" as const, mandate: toMandateView(mandate, ctx.now(), ctx.config.baseUrl) };
});
