import { getMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(getMandate, async (ctx, { params }) => {
  const row = await mandates.getForAgent(ctx, params.mandateId);
  const mandate = await mandates.viewOf(ctx, row, await mandates.tokens(ctx));
  return { ...mandate, status: "ok" as const, mandate };
});
