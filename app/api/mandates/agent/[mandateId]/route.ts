import { getMandate } from "@/lib/mandates/contract";
import { toMandateView } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(getMandate, async (ctx, { params }) => {
  const row = await mandates.getForAgent(ctx, params.mandateId);
  const mandate = toMandateView(row, ctx.now(), ctx.config.baseUrl, await mandates.tokens(ctx));
  return { ...mandate, status: "ok" as const, mandate };
});
