import { getRefund, presentRefund } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(getRefund, async (ctx, { params }) =>
  presentRefund(await refunds.get(ctx, params.refundId), ctx.config.baseUrl, ctx.now()),
);
