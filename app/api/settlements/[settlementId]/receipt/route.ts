import { pending } from "@/lib/checkout/replies";
import { reply } from "@/lib/core/endpoint";
import { preflight } from "@/lib/http/cors";
import { signReceipt } from "@/lib/identity/service";
import { getReceipt, receiptOf } from "@/lib/settlements/contract";
import { settlementErrors } from "@/lib/settlements/errors";
import * as settlements from "@/lib/settlements/service";
import { route } from "@/lib/wiring";

export const GET = route(getReceipt, async (ctx, { params }) => {
  const settlement = await settlements.get(ctx, params.settlementId);
  const { id: settlementId, state, failureCode } = settlement;
  if (state === "void") throw settlementErrors.NO_RECEIPT({ settlementId, failureCode });
  const receipt = receiptOf(settlement, ctx.config.baseUrl);
  if (!receipt) return pending(settlement, {});
  return reply(200, { success: true as const, receipt, jws: await signReceipt(ctx, receipt) });
});

export const OPTIONS = preflight;
