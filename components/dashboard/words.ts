import type { PaymentScan } from "@/lib/core/scans";
import type { Failure } from "@/lib/http/client";

/** Replaces the API's messages, which address agents, with advice for people. */
export const sentenceFor = (failure: Failure): string => SENTENCES[failure.code] ?? failure.message;

const SENTENCES: Record<string, string> = {
  agent_not_found: "This agent no longer exists.",
  unavailable:
    "A chain or our database does not respond, so we do not know whether this was done. Reload the page to see.",
  unreachable: "The server could not be reached, so the change may or may not have been made. Reload the page to see.",
  webhook_not_verified: "Verify the receiver first.",
  webhook_not_found: "This webhook no longer exists.",
  delivery_not_found: "This delivery no longer exists.",
  key_not_found: "This key no longer exists.",
  key_revoked: "This key is revoked and cannot be changed. Create a new one.",
  too_many_keys: "You have as many keys as you can. Revoke one first.",
  url_invalid: "Enter a complete URL, for example, https://example.com/hooks.",
  url_has_credentials: "The URL must not contain a user name or a password.",
  url_not_https: "The URL must begin with https://.",
  url_not_public: "The URL must name a host on the public internet.",
  rate_limited: "Too many requests. Wait a minute, then try again.",
};

/** Labels for the setting that refuses an agent's payments after a scan. */
export const PAYMENT_SCAN_WORDS = {
  off: "Not scanned",
  block: "Refuse what is blocked",
  review: "Refuse what is blocked or doubtful",
} satisfies Record<PaymentScan, string>;
