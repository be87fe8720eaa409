import { approvePayout } from "@/lib/payouts/owner/contract";
import { toPayoutItem } from "@/lib/payouts/responses";
import * as payouts from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const POST = route(approvePayout, async (ctx, { params, body }) => ({
  status: "ok" as const,
  payout: toPayoutItem(await payouts.approve(ctx, params.payoutRecordId, body), ctx.config.baseUrl, ctx.now()),
}));
