import { toSettlementResult } from "@/lib/checkout/replies";
import { assertUnusedProof, sellOffer } from "@/lib/checkout/sell-offer";
import { topUp } from "@/lib/credits/contract";
import { topUpOffer } from "@/lib/credits/service";
import { preflight } from "@/lib/http/cors";
import { edgeErrors } from "@/lib/http/errors";
import { route } from "@/lib/wiring";

export const POST = route(topUp, async (ctx, { body }, req) => {
  const label = body.agentId ?? req.headers.get("x-agent-id");
  if (!label) throw edgeErrors.invalid_request({ message: "agentId or X-Agent-ID must identify the agent" });
  const offer = await topUpOffer(ctx, { label, amount: body.amount }).catch(async (error: unknown) => {
    await assertUnusedProof(ctx, req);
    throw error;
  });
  return sellOffer(ctx, req, offer, {
    onSettled: (settlement) => toSettlementResult(ctx.config.baseUrl, settlement),
    onPending: () => ({}),
  });
});

export const OPTIONS = preflight;
