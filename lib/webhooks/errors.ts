import { failures, type Remedies } from "@/lib/core/errors";
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

export const webhookRemedies: Remedies = {
  too_many_webhooks: {
    cause: "An owner has at most ten webhooks.",
    remedy: "Delete one that is not used. One webhook can receive every kind of event.",
  },
  url_has_credentials: {
    cause: "A user name or password in an address ends up in logs.",
    remedy: "Leave them out, and verify deliveries by their signature.",
  },
  url_invalid: {
    cause: "The address is relative, or not a URL.",
    remedy: "Send a whole one, for example `https://example.com/hooks`.",
  },
  url_not_https: {
    cause: "Deliveries contain payments, so they are sent over TLS only.",
    remedy: "Use an `https://` address.",
  },
  url_not_public: {
    cause: "The host is an address of a private network, or a name without a dot. The service sends nothing there.",
    remedy: "Use a host on the public internet. Behind a firewall, put a tunnel or a proxy in front of the receiver.",
  },
  webhook_disabled: {
    cause:
      "You disabled the webhook, or the service did: its receiver answered 410, or failed for three days. `disabledBy` says which.",
    remedy: "Enable it with `PATCH /api/webhooks/{webhookId}`, then replay the delivery.",
  },
  webhook_not_found: {
    cause: "The id is wrong, or the webhook was deleted or belongs to somebody else.",
    remedy: "List yours with `GET /api/webhooks`.",
  },
  webhook_not_verified: {
    cause:
      "A test event is sent only to a receiver that has returned a challenge. Other events are sent before that too, but few of them a minute.",
    remedy: "`POST /api/webhooks/{webhookId}/verify`. The receiver returns the `challenge` of that request.",
  },
  delivery_not_found: {
    cause: "The id is wrong, or the delivery is older than 30 days.",
    remedy: "List the webhook's deliveries with `GET /api/webhooks/{webhookId}/deliveries`.",
  },
  delivery_underway: {
    cause: "The receiver is being called at this moment, and two attempts at once would be two deliveries.",
    remedy: "Wait until the attempt ends, read its outcome, and replay only if it failed.",
  },
};
