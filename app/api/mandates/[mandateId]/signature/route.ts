import { signMandate } from "@/lib/mandates/contract";
import { toMandateView } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(signMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.sign(ctx, params.mandateId, body.signature);
  return { status: "ok" as const, mandate: toMandateView(mandate, ctx.now(), ctx.config.baseUrl) };
});
