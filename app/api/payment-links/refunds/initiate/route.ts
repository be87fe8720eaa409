import { initiateRefund, presentRefund } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const POST = route(initiateRefund, async (ctx, { body }) =>
  presentRefund(await refunds.initiate(ctx, body), ctx.config.baseUrl, ctx.now()),
);
