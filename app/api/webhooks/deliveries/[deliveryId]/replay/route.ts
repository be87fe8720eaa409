import { replayDelivery, toDeliveryItem } from "@/lib/webhooks/deliveries/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const POST = route(replayDelivery, async (ctx, { params }) => ({
  status: "ok" as const,
  delivery: toDeliveryItem(await webhooks.replay(ctx, params.deliveryId), ctx.now()),
}));
