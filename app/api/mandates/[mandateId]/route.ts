import { narrowMandate } from "@/lib/mandates/contract";
import { toMandateView } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const PATCH = route(narrowMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.narrow(ctx, params.mandateId, body);
  return { status: "ok" as const, mandate: toMandateView(mandate, ctx.now(), ctx.config.baseUrl) };
});
