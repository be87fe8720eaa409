import { enableMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(enableMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.setEnabled(ctx, params.mandateId, body);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});
