import { visitLink } from "@/lib/links/visits/contract";
import { visit } from "@/lib/links/visits/service";
import { route } from "@/lib/wiring";

export const POST = route(visitLink, async (ctx, { params, body }) => {
  await visit(ctx, params.linkId, body);
  return { success: true as const };
});
