import { preflight } from "@/lib/http/cors";
import { getSettlement, presentSettlement } from "@/lib/settlements/contract";
import * as settlements from "@/lib/settlements/service";
import { route } from "@/lib/wiring";

export const GET = route(getSettlement, async (ctx, { params }) => ({
  status: "ok" as const,
  ...presentSettlement(await settlements.get(ctx, params.settlementId), ctx.config.baseUrl),
}));

export const OPTIONS = preflight;
