import { failures, type Remedies } from "@/lib/core/errors";

export const browserErrors = failures({
  browser_not_found: ["not_found", "You have no such browser, or its session was ended"],
  subscription_refused: [
    "unprocessable",
    "This is not a subscription as a browser gives it: the public https URL of a push service, with the keys that belong to it",
  ],
  too_many_browsers: ["conflict", "You get notices in ten browsers already: remove one of them first"],
  rate_limited: ["limited", "Too many browsers were added; wait before the next one"],
});

export const browserRemedies: Remedies = {
  subscription_refused: {
    cause: "The push service is not reached by a public https URL, or the keys are not those of its subscription.",
    remedy: "Send `endpoint` and `keys` as `PushSubscription.toJSON()` gives them, after subscribing with `publicKey`.",
  },
  too_many_browsers: {
    cause: "Notifications go to at most ten browsers of an owner.",
    remedy: "Remove one under *Dashboard, Settings*, or by `DELETE /api/notices/browsers/{browserId}`.",
  },
  browser_not_found: {
    cause: "The browser was removed, its session was ended, or its push service ended the subscription.",
    remedy: "Read `GET /api/notices/browsers`. The browser itself can subscribe again.",
  },
};
