import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { type DeliveryId, id, type WebhookId } from "@/lib/core/ids";
import type { Place, PlacedPage } from "@/lib/core/page";
import { shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time";
import { EVENT_TYPES } from "./catalogue";
import { webhookErrors } from "./errors";
import { isUnderway } from "./rules";
import type { LoggedDelivery, WebhookView } from "./service";
import type { DeliveryState } from "./tables";

export { WEBHOOKS_MAX } from "./rules";

const URL_CHARACTERS_MAX = 2000;
const DESCRIPTION_CHARACTERS_MAX = 200;

const { table } = webhookErrors;
const { webhook_not_found, delivery_not_found, rate_limited } = table;
const badUrl = {
  url_invalid: table.url_invalid,
  url_has_credentials: table.url_has_credentials,
  url_not_https: table.url_not_https,
  url_not_public: table.url_not_public,
};

/** Any text that could be an id: one that we never gave out is not found, like somebody else's. */
const anyId = <Id extends string>(what: string) =>
  z.custom<Id>((value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value), `must be the id of a ${what}`);

const ofWebhook = z.object({ webhookId: anyId<WebhookId>("webhook (whk_…)") });
const ofDelivery = z.object({ deliveryId: anyId<DeliveryId>("delivery (dlv_…)") });

const url = z
  .string("must be a text")
  .min(1, "must not be empty")
  .max(URL_CHARACTERS_MAX, `must have at most ${URL_CHARACTERS_MAX} characters`);
const description = shownText({ max: DESCRIPTION_CHARACTERS_MAX, hasLines: true, error: "must be a text" });
const eventType = z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(", ")}`);
/** null: all of them, those to come as well. */
const eventTypes = z
  .array(eventType, "must be a list of types of events, or null for all of them")
  .min(1, "must name at least one type, or be null for all of them")
  .refine((types) => new Set(types).size === types.length, "must not name a type twice")
  .nullable();

const webhookView = z.object({
  webhookId: z.string(),
  url: z.string(),
  description: z.string(),
  eventTypes: z.array(z.string()).nullable(),
  enabled: z.boolean(),
  /** Why it is off when its owner did not do it: it answered 410, or failed for three days. */
  disabledBy: z.enum(["gone", "failing"]).nullable(),
  /** Until when deliveries are signed with the secret before the last rotation as well. */
  oldSecretUntil: isoDate.nullable(),
  /** When the receiver at `url` repeated a challenge; null until it does. Test events are sent to verified ones only. */
  verifiedAt: isoDate.nullable(),
  lastSuccessAt: isoDate.nullable(),
  lastFailureAt: isoDate.nullable(),
  createdAt: isoDate,
  updatedAt: isoDate,
});
export type WebhookItem = z.output<typeof webhookView>;

const attemptView = z.object({
  number: z.int(),
  startedAt: isoDate,
  /** null while it is under way, and when the process that made it ended first: then it may have arrived or not. */
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
  /** The `webhook-id` header: the same for every attempt and every replay. */
  eventId: z.string(),
  type: z.string(),
  state: deliveryState,
  /** It is being sent just now. */
  underway: z.boolean(),
  nextAttemptAt: isoDate.nullable(),
  /** What is sent, byte by byte. */
  body: z.string(),
  attempts: z.array(attemptView),
  createdAt: isoDate,
});
export type DeliveryItem = z.output<typeof deliveryView>;

const ok = z.literal("ok");
const answer = z.object({ status: ok, webhook: webhookView });
/** `secret` is told this once. */
const answerWithSecret = z.object({ status: ok, webhook: webhookView, secret: z.string() });
const deliveryAnswer = z.object({ status: ok, delivery: deliveryView });

export const listWebhooks = endpoint({
  method: "GET",
  path: "/api/webhooks",
  summary: "The owner's webhooks, and the types of events there are",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, webhooks: z.array(webhookView), eventTypes: z.array(z.string()) }),
  errors: {},
});

export const createWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks",
  summary: "Add a webhook; its secret is in this answer alone (and in repeats of it under the same Idempotency-Key)",
  auth: "owner",
  surface: "wallet",
  body: z.object({ url, description: description.optional(), eventTypes: eventTypes.optional() }, "must be an object"),
  status: 201,
  response: answerWithSecret,
  errors: { too_many_webhooks: table.too_many_webhooks, ...badUrl },
});

export const getWebhook = endpoint({
  method: "GET",
  path: "/api/webhooks/{webhookId}",
  summary: "One webhook",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  response: answer,
  errors: { webhook_not_found },
});

export const updateWebhook = endpoint({
  method: "PATCH",
  path: "/api/webhooks/{webhookId}",
  summary: "Change a webhook, or switch it off and on",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  body: z
    .object(
      {
        url: url.optional(),
        description: description.optional(),
        eventTypes: eventTypes.optional(),
        enabled: z.boolean("must be true or false").optional(),
      },
      "must be an object",
    )
    .refine((edit) => Object.keys(edit).length > 0, "must change url, description, eventTypes or enabled"),
  response: answer,
  errors: { webhook_not_found, ...badUrl },
});

export const deleteWebhook = endpoint({
  method: "DELETE",
  path: "/api/webhooks/{webhookId}",
  summary: "Delete a webhook with its log of deliveries",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  response: z.object({ status: ok, webhookId: z.string() }),
  errors: { webhook_not_found },
});

export const rotateWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks/{webhookId}/rotate",
  summary: "Make a new secret; the one before signs too for 24 hours",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  response: answerWithSecret,
  errors: { webhook_not_found },
});

export const testWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks/{webhookId}/test",
  summary: "Send a webhook.test event, once, to a verified receiver",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  status: 202,
  response: deliveryAnswer,
  errors: { webhook_not_found, rate_limited, webhook_not_verified: table.webhook_not_verified },
});

export const verifyWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks/{webhookId}/verify",
  summary: "Send a webhook.verification event, once: the receiver is verified when its reply repeats the challenge",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  status: 202,
  response: deliveryAnswer,
  errors: { webhook_not_found, rate_limited },
});

/** A place in a list of deliveries, as `next` tells it. */
export const placeText = ({ at, id: deliveryId }: Place): string => `${at.getTime()}.${deliveryId}`;

const PLACE = /^(\d{1,13})\.(.+)$/;
export const deliveryPlace = z.codec(
  z.string().refine((text) => id("delivery").safeParse(PLACE.exec(text)?.[2]).success, "must be a `next` of ours"),
  z.custom<Place>(),
  {
    decode: (text) => {
      const [, milliseconds, deliveryId = ""] = PLACE.exec(text) ?? [];
      return { at: new Date(Number(milliseconds)), id: deliveryId };
    },
    encode: placeText,
  },
);

const PAGE_DEFAULT = 20;
const PAGE_MAX = 100;

export const listDeliveries = endpoint({
  method: "GET",
  path: "/api/webhooks/{webhookId}/deliveries",
  summary: "What was sent to a webhook in the last 30 days, newest first, with every attempt and its reply",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  query: z.object({
    state: deliveryState.optional(),
    after: deliveryPlace.optional(),
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
    /** Give it as `after` for the next page. */
    next: z.string().nullable(),
  }),
  errors: { webhook_not_found },
});

export const replayDelivery = endpoint({
  method: "POST",
  path: "/api/webhooks/deliveries/{deliveryId}/replay",
  summary: "Send a delivery again: the same body under the same webhook-id",
  auth: "owner",
  surface: "wallet",
  params: ofDelivery,
  status: 202,
  response: deliveryAnswer,
  errors: {
    delivery_not_found,
    webhook_disabled: table.webhook_disabled,
    delivery_underway: table.delivery_underway,
    rate_limited,
  },
});

export const presentWebhook = ({ webhook: w, oldSecretUntil }: WebhookView): WebhookItem => ({
  webhookId: w.id,
  url: w.url,
  description: w.description,
  eventTypes: w.eventTypes,
  enabled: w.isEnabled,
  disabledBy: w.disabledBy,
  oldSecretUntil,
  verifiedAt: w.verifiedAt,
  lastSuccessAt: w.succeededAt,
  lastFailureAt: w.failedAt,
  createdAt: w.createdAt,
  updatedAt: w.updatedAt,
});

export function presentDelivery(logged: LoggedDelivery, now: Date): DeliveryItem {
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

export const presentDeliveries = ({ rows, next }: PlacedPage<LoggedDelivery>, now: Date) => ({
  status: "ok" as const,
  deliveries: rows.map((row) => presentDelivery(row, now)),
  next: next && placeText(next),
});
