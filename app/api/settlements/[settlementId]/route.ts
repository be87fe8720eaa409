import { preflight } from "@/lib/http/cors";
import { unlockContent } from "@/lib/links/checkout/service";
import { sumRefunded } from "@/lib/refunds/service";
import { getSettlement, toSettlementView } from "@/lib/settlements/contract";
import * as settlements from "@/lib/settlements/service";
import { route } from "@/lib/wiring";

export const GET = route(getSettlement, async (ctx, { params, query }) => {
  const settlement = await settlements.get(ctx, params.settlementId);
  return {
    status: "ok" as const,
    ...toSettlementView(settlement, ctx.config.baseUrl),
    refundedAmount: await sumRefunded(ctx, settlement),
    ...(await unlockContent(ctx, settlement, query.key)),
  };
});

export const OPTIONS = preflight;
