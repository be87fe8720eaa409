import { listDeliveries, toDeliveryPage } from "@/lib/webhooks/deliveries/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const GET = route(listDeliveries, async (ctx, { params, query }) =>
  toDeliveryPage(await webhooks.listDeliveries(ctx, params.webhookId, query), ctx.now()),
);
