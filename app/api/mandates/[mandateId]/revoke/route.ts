import { revokeMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(revokeMandate, async (ctx, { params }) => {
  const mandate = await mandates.revoke(ctx, params.mandateId);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});
