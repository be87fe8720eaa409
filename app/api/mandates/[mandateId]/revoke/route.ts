import { revokeMandate } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const POST = route(revokeMandate, async (ctx, { params, body }) => {
  const mandate = await mandates.revokeMandate(ctx, params.mandateId, body.vaultSignature);
  return { status: "ok" as const, mandate: await mandates.viewOf(ctx, mandate) };
});
