import { toSettlementResult } from "@/lib/checkout/replies";
import { assertUnusedProof, sellOffer } from "@/lib/checkout/sell-offer";
import { targetOf } from "@/lib/http/caller";
import { preflight } from "@/lib/http/cors";
import { getUpl } from "@/lib/links/upl/contract";
import * as upl from "@/lib/links/upl/service";
import { route } from "@/lib/wiring";

export const GET = route(getUpl, async (ctx, { params, query }, req) => {
  const offer = await upl.offer(ctx, params.agentId, query, targetOf(req)).catch(async (error: unknown) => {
    await assertUnusedProof(ctx, req);
    throw error;
  });
  return sellOffer(ctx, req, offer, {
    onSettled: (settlement) => toSettlementResult(ctx.config.baseUrl, settlement),
    onPending: () => ({}),
  });
});

export const OPTIONS = preflight;
