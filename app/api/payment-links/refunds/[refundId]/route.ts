import { getRefund, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(getRefund, async (ctx, { params }) =>
  toRefundItem(await refunds.get(ctx, params.refundId), ctx.config.baseUrl, ctx.now()),
);
