import { presentDelivery, replayDelivery } from "@/lib/webhooks/deliveries/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const POST = route(replayDelivery, async (ctx, { params }) => ({
  status: "ok" as const,
  delivery: presentDelivery(await webhooks.replay(ctx, params.deliveryId), ctx.now()),
}));
