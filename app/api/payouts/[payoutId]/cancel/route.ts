import { cancelPayout } from "@/lib/payouts/contract";
import { presentPayout, presentTwice } from "@/lib/payouts/responses";
import { cancelForAgent } from "@/lib/payouts/service";
import { route } from "@/lib/wiring";

export const POST = route(cancelPayout, async (ctx, { params }) =>
  presentTwice(presentPayout(await cancelForAgent(ctx, params.payoutId), ctx.config.baseUrl, ctx.now())),
);
