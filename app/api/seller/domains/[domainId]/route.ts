import { removeDomain } from "@/lib/sellers/contract";
import * as sellers from "@/lib/sellers/service";
import { route } from "@/lib/wiring";

export const DELETE = route(removeDomain, async (ctx, { params }) => {
  await sellers.removeDomain(ctx, params.domainId);
  return { status: "ok" as const };
});
