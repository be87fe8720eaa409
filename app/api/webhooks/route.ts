import { EVENT_TYPES } from "@/lib/webhooks/catalogue";
import { createWebhook, listWebhooks, toWebhookItem } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const GET = route(listWebhooks, async (ctx) => ({
  status: "ok" as const,
  webhooks: (await webhooks.list(ctx)).map(toWebhookItem),
  eventTypes: EVENT_TYPES,
}));

export const POST = route(createWebhook, async (ctx, { body }) => {
  const { secret, ...view } = await webhooks.create(ctx, body);
  return { status: "ok" as const, webhook: toWebhookItem(view), secret };
});
