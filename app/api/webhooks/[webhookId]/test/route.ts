import { testWebhook, toDeliveryItem } from "@/lib/webhooks/deliveries/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const POST = route(testWebhook, async (ctx, { params }) => ({
  status: "ok" as const,
  delivery: toDeliveryItem(await webhooks.test(ctx, params.webhookId), ctx.now()),
}));
