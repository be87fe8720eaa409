import { deleteWebhook, getWebhook, toWebhookItem, updateWebhook } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";
import { route } from "@/lib/wiring";

export const GET = route(getWebhook, async (ctx, { params }) => ({
  status: "ok" as const,
  webhook: toWebhookItem(await webhooks.get(ctx, params.webhookId)),
}));

export const PATCH = route(updateWebhook, async (ctx, { params, body }) => ({
  status: "ok" as const,
  webhook: toWebhookItem(await webhooks.change(ctx, params.webhookId, body)),
}));

export const DELETE = route(deleteWebhook, async (ctx, { params }) => {
  await webhooks.remove(ctx, params.webhookId);
  return { status: "ok" as const, webhookId: params.webhookId };
});
