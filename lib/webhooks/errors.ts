import { failures } from "@/lib/core/errors";
import { WEBHOOKS_MAX } from "./rules";

export const webhookErrors = failures({
  webhook_not_found: ["not_found", "There is no such webhook"],
  delivery_not_found: ["not_found", "There is no such delivery. Deliveries are kept for 30 days"],
  too_many_webhooks: ["conflict", `You already have ${WEBHOOKS_MAX} webhooks, the maximum. Delete one first`],
  webhook_not_verified: [
    "conflict",
    "The receiver is not verified. Verify it first with POST /api/webhooks/{webhookId}/verify: it must return the challenge that we send",
  ],
  webhook_disabled: ["conflict", "The webhook is disabled. Enable it first"],
  delivery_underway: ["conflict", "The delivery is being sent now. Wait until the attempt ends"],
  url_invalid: ["invalid", "url must be an absolute URL, for example, https://example.com/hooks"],
  url_has_credentials: ["invalid", "url must not contain a user name or password"],
  url_not_https: ["invalid", "url must begin with https://"],
  url_not_public: ["invalid", "url must have a host on the public internet"],
  rate_limited: ["limited", "Too many test events, verifications and replays. Wait before the next one"],
});
