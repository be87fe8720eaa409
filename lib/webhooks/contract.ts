import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { endpoint } from "@/lib/core/endpoint";
import type { WebhookId } from "@/lib/core/ids";
import { shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import * as sample from "@/lib/samples";
import { EVENT_TYPES } from "./catalogue";
import { webhookErrors } from "./errors";
import { DESCRIPTION_MAX, URL_MAX } from "./limits";
import type { WebhookView } from "./service";

export { WEBHOOKS_MAX } from "./rules";

const { table } = webhookErrors;
const { webhook_not_found } = table;
const badUrl = {
  url_invalid: table.url_invalid,
  url_has_credentials: table.url_has_credentials,
  url_not_https: table.url_not_https,
  url_not_public: table.url_not_public,
};

/** Accepts any text in the form of an id, so that an unknown id gets 404 instead of 400. */
export const anyId = <Id extends string>(label: string) =>
  z.custom<Id>((value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value), `must be the id of a ${label}`);

export const ofWebhook = z.object({ webhookId: anyId<WebhookId>("webhook (whk_…)") });
const url = z
  .string("must be a text")
  .min(1, "must not be empty")
  .max(URL_MAX, `must have at most ${URL_MAX} characters`);
const description = shownText({ max: DESCRIPTION_MAX, hasLines: true, error: "must be a text" });
const eventType = z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(", ")}`);
/** null: all types, including future ones. */
const eventTypes = z
  .array(eventType, "must be a list of event types, or null for all")
  .min(1, "must have at least one event type, or be null for all")
  .refine((types) => new Set(types).size === types.length, "must not contain a type twice")
  .nullable();

const webhookView = z.object({
  webhookId: z.string(),
  url: z.string(),
  description: z.string(),
  eventTypes: z.array(z.string()).nullable(),
  enabled: z.boolean(),
  /**
   * Why the service disabled it: it answered 410 (`gone`), or failed for three days (`failing`). null if the owner did or it is
   * enabled.
   */
  disabledBy: z.enum(["gone", "failing"]).nullable(),
  /** Until when deliveries are also signed with the previous secret; null if they are not. */
  oldSecretUntil: isoDate.nullable(),
  /** When the receiver at `url` returned the challenge; null before. Test events require it. */
  verifiedAt: isoDate.nullable(),
  lastSuccessAt: isoDate.nullable(),
  lastFailureAt: isoDate.nullable(),
  createdAt: isoDate,
  updatedAt: isoDate,
});
export type WebhookItem = z.output<typeof webhookView>;

const ok = z.literal("ok");
const webhookResponse = z.object({ status: ok, webhook: webhookView });
/** The only response body with `secret`. */
const answerWithSecret = z.object({ status: ok, webhook: webhookView, secret: z.string() });
const webhookExample = {
  webhookId: sample.WEBHOOK,
  url: "https://shop.example.com/hooks",
  description: "Orders",
  eventTypes: ["payment_link.paid"],
  enabled: true,
  disabledBy: null,
  oldSecretUntil: null,
  verifiedAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  createdAt: sample.CREATED,
  updatedAt: sample.CREATED,
};

const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

export const listWebhooks = endpoint({
  method: "GET",
  path: "/api/webhooks",
  summary: "The owner's webhooks, and all event types",
  description:
    "`eventTypes` of the response are all types that exist, for a form. A webhook with `null` gets every one.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, webhooks: z.array(webhookView), eventTypes: z.array(z.string()) }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, webhooks: [webhookExample], eventTypes: webhookExample.eventTypes } } },
});

export const createWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks",
  summary:
    "Create a webhook. A host that none of the owner's webhooks has needs a signature. Only this response contains its secret (also when repeated with the same Idempotency-Key)",
  description:
    "The secret is shown only here. Verify the receiver next: test events go only to verified ones. Without `eventTypes` it gets every event. For a host that none of the owner's webhooks has: after 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  auth: "owner",
  surface: "wallet",
  body: z.object(
    { url, description: description.optional(), eventTypes: eventTypes.optional(), ...withSignature.shape },
    "must be an object",
  ),
  response: { 201: answerWithSecret },
  errors: { too_many_webhooks: table.too_many_webhooks, ...badUrl, ...confirmErrors },
  example: {
    request: { url: webhookExample.url, description: "Orders", eventTypes: webhookExample.eventTypes },
    responses: { 201: { ...sample.OK, webhook: webhookExample, secret: SECRET } },
  },
});

export const getWebhook = endpoint({
  method: "GET",
  path: "/api/webhooks/{webhookId}",
  summary: "One webhook",
  description:
    "`disabledBy` says why this service stopped sending: the receiver answered 410, or failed for three days.",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  response: webhookResponse,
  errors: { webhook_not_found },
  example: { responses: { 200: { ...sample.OK, webhook: webhookExample } } },
});

export const updateWebhook = endpoint({
  method: "PATCH",
  path: "/api/webhooks/{webhookId}",
  summary: "Update, enable or disable a webhook. A host that none of the owner's webhooks has needs a signature",
  description:
    "Members that are left out stay as they are. A new `url` has to be verified again before test events are sent to it. At a new host it needs a signature, as in `createWebhook`.",
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
        ...withSignature.shape,
      },
      "must be an object",
    )
    .refine(
      ({ signature: _, ...edit }) => Object.keys(edit).length > 0,
      "must change url, description, eventTypes or enabled",
    ),
  response: webhookResponse,
  errors: { webhook_not_found, ...badUrl, ...confirmErrors },
  example: {
    request: { eventTypes: null, enabled: true },
    responses: { 200: { ...sample.OK, webhook: { ...webhookExample, eventTypes: null } } },
  },
});

export const deleteWebhook = endpoint({
  method: "DELETE",
  path: "/api/webhooks/{webhookId}",
  summary: "Delete a webhook and its deliveries",
  description:
    "Nothing more is sent to it, not even events that wait. To stop for a while, set `enabled` to false instead.",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  response: z.object({ status: ok, webhookId: z.string() }),
  errors: { webhook_not_found },
  example: { responses: { 200: { ...sample.OK, webhookId: sample.WEBHOOK } } },
});

export const rotateWebhook = endpoint({
  method: "POST",
  path: "/api/webhooks/{webhookId}/rotate",
  stores: "nothing",
  summary:
    "Create a new secret, with a signature of the owner's wallet. Deliveries are also signed with the previous one for 24 hours",
  description:
    "After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. Give the receiver the new secret within the 24 hours. Its signatures are then both in `webhook-signature`.",
  auth: "owner",
  surface: "wallet",
  params: ofWebhook,
  body: withSignature,
  response: answerWithSecret,
  errors: { webhook_not_found, ...confirmErrors },
  example: {
    request: {},
    responses: {
      200: { ...sample.OK, webhook: { ...webhookExample, oldSecretUntil: sample.UPDATED }, secret: SECRET },
    },
  },
});

export const toWebhookItem = ({ webhook: w, oldSecretUntil }: WebhookView): WebhookItem => ({
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
