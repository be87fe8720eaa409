import { rejectRefund, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const POST = route(rejectRefund, async (ctx, { params }) => ({
  status: "ok" as const,
  refund: toRefundItem(await refunds.cancel(ctx, params.refundId), ctx.config.baseUrl, ctx.now()),
}));
