import { initiateRefund, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { route } from "@/lib/wiring";
import { GET as read } from "../[refundId]/route";

export const POST = route(initiateRefund, async (ctx, { body }) =>
  toRefundItem(await refunds.initiate(ctx, body), ctx.config.baseUrl, ctx.now()),
);

/** Next routes GET of a refund with the id "initiate" here. Answer it like any other unknown refund. */
export const GET = (req: Request) => read(req, { params: Promise.resolve({ refundId: "initiate" }) });
