import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import type { DeliveryId } from "@/lib/core/ids";
import { type CursorPage, cursorText, encodeCursor } from "@/lib/core/page";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { anyId, ofWebhook } from "../contract";
import { webhookErrors } from "../errors";
import { isUnderway } from "../rules";
import type { LoggedDelivery } from "../service";
import type { DeliveryState } from "../states";

const { table } = webhookErrors;
const { webhook_not_found, delivery_not_found, rate_limited } = table;

const ofDelivery = z.object({ deliveryId: anyId<DeliveryId>("delivery (dlv_…)") });

const attemptView = z.object({
  number: z.int(),
  startedAt: isoDate,
  /** null while it is under way, and when the sending process died: then it may or may not have arrived. */
  durationMs: z.int().nullable(),
  status: z.int().nullable(),
  /** The first 2000 characters. */
  reply: z.string().nullable(),
  failure: z
    .enum([
      "status",
      "redirect",
      "gone",
      "timeout",
      "connection",
      "certificate",
      "name_unknown",
      "address_refused",
      "not_http",
      "not_echoed",
    ])
    .nullable(),
});
export type AttemptItem = z.output<typeof attemptView>;

export const deliveryState = z.enum(["waiting", "paused", "delivered", "failed"], {
  error: "must be waiting, paused, delivered or failed",
}) satisfies z.ZodType<DeliveryState>;

const deliveryView = z.object({
  deliveryId: z.string(),
  webhookId: z.string(),
  /** The `webhook-id` header; the same for every attempt and replay. */
  eventId: z.string(),
  type: z.string(),
  state: deliveryState,
  /** An attempt is in progress. */
  underway: z.boolean(),
  nextAttemptAt: isoDate.nullable(),
  /** The exact request body. */
  body: z.string(),
  attempts: z.array(attemptView),
  createdAt: isoDate,
});
export type DeliveryItem = z.output<typeof deliveryView>;

const ok = z.literal("ok");
const deliveryAnswer = z.object({ status: ok, delivery: deliveryView });

const deliveryExample = {
  deliveryId: sample.DELIVERY,
  webhookId: sample.WEBHOOK,
  eventId: sample.EVENT,
  type: "webhook.test",
  state: "waiting",
  underway: false,
  nextAttemptAt: sample.UPDATED,
  body: `{"type":"webhook.test","timestamp":"${sample.CREATED}","data":{"webhookId":"${sample.WEBHOOK}"}}`,
  attempts: [],
  createdAt: sample.CREATED,
};

const sendingExample = { 202: { ...sample.OK, delivery: deliveryExample } };

export const testWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks/{webhookId}/test",
  summary: "Send a webhook.test event to a verified receiver, without retries",
  description:
    "To try a receiver without an event of its own. The attempt runs after the response: read the deliveries.",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  response: { 202: deliveryAnswer },
  errors: { webhook_not_found, rate_limited, webhook_not_verified: table.webhook_not_verified },
  example: { responses: sendingExample },
});

export const verifyWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks/{webhookId}/verify",
  summary:
    "Send a webhook.verification event, without retries. The receiver is verified when its reply contains the challenge",
  description:
    "It shows that the receiver expects our messages. The attempt runs after the response: read the deliveries, or the webhook's `verifiedAt`.",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  response: { 202: deliveryAnswer },
  errors: { webhook_not_found, rate_limited },
  example: { responses: { 202: { ...sample.OK, delivery: { ...deliveryExample, type: "webhook.verification" } } } },
});

const PAGE_DEFAULT = 20;
const PAGE_MAX = 100;

export const listDeliveries = endpoint({
  method: "GET",
  path: "/api/webhooks/{webhookId}/deliveries",
  summary: "A webhook's deliveries of the last 30 days, newest first, with every attempt and its reply",
  description:
    "For finding out why a receiver misses events: each attempt has its status, its time and the first characters of the reply. Send `next` as `after` for the next page.",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  query: z.object({
    state: deliveryState.optional(),
    after: cursorText.optional(),
    limit: z.coerce
      .number(`must be a number from 1 to ${PAGE_MAX}`)
      .int(`must be a number from 1 to ${PAGE_MAX}`)
      .min(1, "must be at least 1")
      .max(PAGE_MAX, `must be at most ${PAGE_MAX}`)
      .default(PAGE_DEFAULT),
  }),
  response: z.object({
    status: ok,
    deliveries: z.array(deliveryView),
    /** The `after` of the next page. */
    next: z.string().nullable(),
  }),
  errors: { webhook_not_found },
  example: { responses: { 200: { ...sample.OK, deliveries: [deliveryExample], next: null } } },
});

export const replayDelivery = endpoint({
  method: "POST",
  path: "/api/webhooks/deliveries/{deliveryId}/replay",
  summary: "Send a delivery again: the same body under the same webhook-id",
  description:
    "A receiver that has processed the event recognises it by its `webhook-id`. It is refused while an attempt is under way and while the webhook is disabled.",
  auth: "owner",
  surface: "wallet",
  params: ofDelivery,
  response: { 202: deliveryAnswer },
  errors: {
    delivery_not_found,
    webhook_not_found,
    webhook_disabled: table.webhook_disabled,
    delivery_underway: table.delivery_underway,
    rate_limited,
  },
  example: { responses: sendingExample },
});

export function toDeliveryItem(logged: LoggedDelivery, now: Date): DeliveryItem {
  const { delivery: d, attempts } = logged;
  const underway = isUnderway(logged, now);
  return {
    deliveryId: d.id,
    webhookId: d.webhookId,
    eventId: d.eventId,
    type: d.type,
    state: d.state,
    underway,
    nextAttemptAt: d.state === "waiting" && !underway ? d.nextAttemptAt : null,
    body: d.body,
    attempts: attempts.map(({ deliveryId: _, ...attempt }) => attempt),
    createdAt: d.createdAt,
  };
}

export const toDeliveryPage = ({ rows, next }: CursorPage<LoggedDelivery>, now: Date) => ({
  status: "ok" as const,
  deliveries: rows.map((row) => toDeliveryItem(row, now)),
  next: next && encodeCursor(next),
});
