import { narrowMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const PATCH = route(narrowMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.narrow(ctx, params.mandateId, body);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});
