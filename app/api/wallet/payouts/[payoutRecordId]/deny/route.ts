import { denyPayout } from "@/lib/payouts/owner/contract";
import { toPayoutItem } from "@/lib/payouts/responses";
import * as payouts from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const POST = route(denyPayout, async (ctx, { params, body }) => ({
  status: "ok" as const,
  payout: toPayoutItem(await payouts.deny(ctx, params.payoutRecordId, body.token), ctx.config.baseUrl, ctx.now()),
}));
