import { settlePayment, toSettled } from "@/lib/facilitator/contract";
import { settle } from "@/lib/facilitator/service";
import { route } from "@/lib/wiring";

export const POST = route(settlePayment, async (ctx, { body }, req) =>
  toSettled(await settle(ctx, body, () => req.signal.aborted), body.paymentRequirements.network, ctx.config.baseUrl),
);
