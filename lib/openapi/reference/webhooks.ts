import type { Sayings } from "./said";
import { CREATED, DELIVERY, EVENT, OK, UPDATED, WEBHOOK } from "./values";

const webhook = {
  webhookId: WEBHOOK,
  url: "https://shop.example.com/hooks",
  description: "Orders",
  eventTypes: ["payment_link.paid"],
  enabled: true,
  disabledBy: null,
  oldSecretUntil: null,
  verifiedAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  createdAt: CREATED,
  updatedAt: CREATED,
};

const delivery = {
  deliveryId: DELIVERY,
  webhookId: WEBHOOK,
  eventId: EVENT,
  type: "webhook.test",
  state: "waiting",
  underway: false,
  nextAttemptAt: UPDATED,
  body: `{"type":"webhook.test","timestamp":"${CREATED}","data":{"webhookId":"${WEBHOOK}"}}`,
  attempts: [],
  createdAt: CREATED,
};
const sending = { 202: { ...OK, delivery } };

const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

export const WEBHOOKS: Sayings = {
  createWebhook: {
    description:
      "The secret is shown only here. Verify the receiver next: test events go only to verified ones. Without `eventTypes` it gets every event. For a host that none of the owner's webhooks has: after 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
    request: { url: webhook.url, description: "Orders", eventTypes: webhook.eventTypes },
    responses: { 201: { ...OK, webhook, secret: SECRET } },
  },
  listWebhooks: {
    description:
      "`eventTypes` of the response are all types that exist, for a form. A webhook with `null` gets every one.",
    responses: { 200: { ...OK, webhooks: [webhook], eventTypes: webhook.eventTypes } },
  },
  getWebhook: {
    description:
      "`disabledBy` says why this service stopped sending: the receiver answered 410, or failed for three days.",
    responses: { 200: { ...OK, webhook } },
  },
  updateWebhook: {
    description:
      "Members that are left out stay as they are. A new `url` has to be verified again before test events are sent to it. At a new host it needs a signature, as in `createWebhook`.",
    request: { eventTypes: null, enabled: true },
    responses: { 200: { ...OK, webhook: { ...webhook, eventTypes: null } } },
  },
  deleteWebhook: {
    description:
      "Nothing more is sent to it, not even events that wait. To stop for a while, set `enabled` to false instead.",
    responses: { 200: { ...OK, webhookId: WEBHOOK } },
  },
  rotateWebhook: {
    description:
      "After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. Give the receiver the new secret within the 24 hours. Its signatures are then both in `webhook-signature`.",
    request: {},
    responses: { 200: { ...OK, webhook: { ...webhook, oldSecretUntil: UPDATED }, secret: SECRET } },
  },
  verifyWebhook: {
    description:
      "It shows that the receiver expects our messages. The attempt runs after the response: read the deliveries, or the webhook's `verifiedAt`.",
    responses: { 202: { ...OK, delivery: { ...delivery, type: "webhook.verification" } } },
  },
  testWebhook: {
    description:
      "To try a receiver without an event of its own. The attempt runs after the response: read the deliveries.",
    responses: sending,
  },
  listDeliveries: {
    description:
      "For finding out why a receiver misses events: each attempt has its status, its time and the first characters of the reply. Send `next` as `after` for the next page.",
    responses: { 200: { ...OK, deliveries: [delivery], next: null } },
  },
  replayDelivery: {
    description:
      "A receiver that has processed the event recognises it by its `webhook-id`. It is refused while an attempt is under way and while the webhook is disabled.",
    responses: sending,
  },
};
