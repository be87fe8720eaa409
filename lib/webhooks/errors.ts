import { failures } from "@/lib/core/errors";
import { WEBHOOKS_MAX } from "./rules";

export const webhookErrors = failures({
  webhook_not_found: ["not_found", "There is no such webhook"],
  delivery_not_found: ["not_found", "There is no such delivery; they are kept for 30 days"],
  too_many_webhooks: ["conflict", `There are ${WEBHOOKS_MAX} webhooks already. Delete one first`],
  webhook_not_verified: [
    "conflict",
    "The receiver has not been verified. Verify it first with POST /api/webhooks/{webhookId}/verify: it has to repeat the challenge that we send",
  ],
  webhook_disabled: ["conflict", "The webhook is switched off. Switch it on first"],
  delivery_underway: ["conflict", "It is being sent just now. Look at how that ends first"],
  url_invalid: ["invalid", "url must be an absolute URL, as https://example.com/hooks"],
  url_has_credentials: ["invalid", "url must not hold a user name or a password"],
  url_not_https: ["invalid", "url must begin with https://"],
  url_not_public: ["invalid", "url must name a host on the public internet"],
  rate_limited: ["limited", "Too many test events, verifications and replays. Wait before the next one"],
});
