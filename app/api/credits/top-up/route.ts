import { agentId } from "@/lib/core/ids";
import { topUp } from "@/lib/credits/contract";
import { creditErrors } from "@/lib/credits/errors";
import { topUpOffer } from "@/lib/credits/service";
import { preflight } from "@/lib/http/cors";
import { paid, settlementResult } from "@/lib/http/paid";
import { route } from "@/lib/wiring";

export const POST = route(topUp, async (ctx, { body }, req) => {
  const named = agentId.safeParse(body.agentId ?? req.headers.get("x-agent-id")?.trim().toLowerCase());
  if (!named.success) throw creditErrors.AGENT_NOT_FOUND();
  const offer = await topUpOffer(ctx, { agentId: named.data, amount: body.amount });
  return paid(ctx, req, offer, { settled: (settlement) => settlementResult(ctx.config.baseUrl, settlement) });
});

export const OPTIONS = preflight;
