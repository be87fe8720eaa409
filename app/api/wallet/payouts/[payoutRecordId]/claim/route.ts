import { claimPayout } from "@/lib/payouts/owner/contract";
import { presentPayout } from "@/lib/payouts/responses";
import * as payouts from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const POST = route(claimPayout, async (ctx, { params, body }) => ({
  status: "ok" as const,
  payout: presentPayout(await payouts.claim(ctx, params.payoutRecordId, body.token), ctx.config.baseUrl, ctx.now()),
}));
