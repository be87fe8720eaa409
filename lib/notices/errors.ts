import { failures, type Remedies } from "@/lib/core/errors";

export const noticeErrors = failures({
  mail_not_configured: [
    "unprocessable",
    "The operator of this service has not set up mail, so it cannot send any. Nothing was stored",
  ],
  no_email: ["unprocessable", "Enter an address first: without one, nothing can be sent"],
  link_expired: ["gone", "This link is invalid or no longer valid. Request a new one on the settings page"],
  rate_limited: ["limited", "Too many addresses were tried; wait before the next one"],
});

export const noticeRemedies: Remedies = {
  no_email: {
    cause: "Notifications by mail need an address that you have confirmed.",
    remedy: "Enter one under *Dashboard, Settings* and open the link in the mail.",
  },
  mail_not_configured: {
    cause: "This installation has no mail server. The operator sets `SMTP_URL` and `MAIL_FROM`.",
    remedy: "Use notifications in the browser, or webhooks.",
  },
};
