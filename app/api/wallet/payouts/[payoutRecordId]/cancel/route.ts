import { cancelOwnedPayout } from "@/lib/payouts/owner/contract";
import { toPayoutItem } from "@/lib/payouts/responses";
import * as payouts from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const POST = route(cancelOwnedPayout, async (ctx, { params }) => ({
  status: "ok" as const,
  payout: toPayoutItem(await payouts.cancel(ctx, params.payoutRecordId), ctx.config.baseUrl, ctx.now()),
}));
