import { settlePayment, toSettled } from "@/lib/facilitator/contract";
import { settle } from "@/lib/facilitator/service";
import { route } from "@/lib/wiring";

export const POST = route(settlePayment, async (ctx, { body }) =>
  toSettled(await settle(ctx, body), body.paymentRequirements.network, ctx.config.baseUrl),
);
