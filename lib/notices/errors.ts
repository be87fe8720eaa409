import { failures } from "@/lib/core/errors";

export const noticeErrors = failures({
  mail_not_configured: [
    "unprocessable",
    "The operator of this service has not set up mail, so it cannot send any. Nothing was stored",
  ],
  no_email: ["unprocessable", "Enter an address first: without one, nothing can be sent"],
  link_expired: ["gone", "This link is not valid, or no longer. Request a new one on the settings page"],
  rate_limited: ["limited", "Too many addresses were tried; wait before the next one"],
});
