import * as mandates from "@/lib/mandates/service";
import { forgetRefusingSeller } from "@/lib/mandates/vaults/contract";
import { route } from "@/lib/wiring";

export const POST = route(forgetRefusingSeller, async (ctx, { params, body }) => {
  await mandates.forgetSeller(ctx, params.mandateId, body.host);
  return { status: "ok" as const };
});
