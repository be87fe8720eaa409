import { visitLink } from "@/lib/links/visits/contract";
import { recordVisit } from "@/lib/links/visits/service";
import { route } from "@/lib/wiring";

export const POST = route(visitLink, async (ctx, { params, body }) => {
  await recordVisit(ctx, params.linkId, body);
  return { success: true as const };
});
