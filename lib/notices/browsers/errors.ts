import { failures } from "@/lib/core/errors";

export const browserErrors = failures({
  browser_not_found: ["not_found", "You have no such browser, or its session was ended"],
  subscription_refused: [
    "unprocessable",
    "This is not a subscription as a browser gives it: the public https URL of a push service, with the keys that belong to it",
  ],
  too_many_browsers: ["conflict", "You get notices in ten browsers already: remove one of them first"],
  rate_limited: ["limited", "Too many browsers were added; wait before the next one"],
});
