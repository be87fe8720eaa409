import { createRefund, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const POST = route(createRefund, async (ctx, { body }) => ({
  status: "ok" as const,
  refund: toRefundItem(await refunds.initiate(ctx, body), ctx.config.baseUrl, ctx.now()),
}));
