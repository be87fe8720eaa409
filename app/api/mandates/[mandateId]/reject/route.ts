import { rejectMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(rejectMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.reject(ctx, params.mandateId, body.token);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});
