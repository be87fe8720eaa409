import { cancelPayout } from "@/lib/payouts/contract";
import { toPayoutItem, toPayoutResponse } from "@/lib/payouts/responses";
import { cancelForAgent } from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const POST = route(cancelPayout, async (ctx, { params }) =>
  toPayoutResponse(toPayoutItem(await cancelForAgent(ctx, params.payoutId), ctx.config.baseUrl, ctx.now()), null),
);
