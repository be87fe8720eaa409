import { getOwnedPayout } from "@/lib/payouts/owner/contract";
import { get } from "@/lib/payouts/owner/service";
import { presentPayout } from "@/lib/payouts/responses";
import { route } from "@/lib/wiring";

export const GET = route(getOwnedPayout, async (ctx, { params }) => ({
  status: "ok" as const,
  payout: presentPayout(await get(ctx, params.payoutRecordId), ctx.config.baseUrl, ctx.now()),
}));
