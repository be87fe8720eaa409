import { cancelRefund, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const POST = route(cancelRefund, async (ctx, { params }) =>
  toRefundItem(await refunds.cancel(ctx, params.refundId), ctx.config.baseUrl, ctx.now()),
);
