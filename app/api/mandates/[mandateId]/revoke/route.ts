import { revokeMandate } from "@/lib/mandates/contract";
import { toMandateView } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(revokeMandate, async (ctx, { params }) => {
  const mandate = await mandates.revoke(ctx, params.mandateId);
  return { status: "ok" as const, mandate: toMandateView(mandate, ctx.now(), ctx.config.baseUrl) };
});
