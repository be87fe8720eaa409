import { rotateWebhook, toWebhookItem } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const POST = route(rotateWebhook, async (ctx, { params, body }) => {
  const { secret, ...view } = await webhooks.rotate(ctx, params.webhookId, body.signature);
  return { status: "ok" as const, webhook: toWebhookItem(view), secret };
});
