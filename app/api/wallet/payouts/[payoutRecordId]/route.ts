import { getOwnedPayout } from "@/lib/payouts/owner/contract";
import { get } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { route } from "@/lib/wiring";

export const GET = route(getOwnedPayout, async (ctx, { params }) => ({
  status: "ok" as const,
  payout: toPayoutItem(await get(ctx, params.payoutRecordId), ctx.config.baseUrl, ctx.now()),
}));
