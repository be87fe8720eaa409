import { toDeliveryItem, verifyWebhook } from "@/lib/webhooks/deliveries/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const POST = route(verifyWebhook, async (ctx, { params }) => ({
  status: "ok" as const,
  delivery: toDeliveryItem(await webhooks.verify(ctx, params.webhookId), ctx.now()),
}));
