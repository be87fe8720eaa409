import type { PaymentScan } from "@/lib/core/scans";
import type { Answer } from "@/lib/http/client";

/** The API's own sentences speak to agents; a person needs to know what to do. */
export const sentenceFor = (failure: Extract<Answer<unknown>, { ok: false }>): string =>
  SENTENCES[failure.code] ?? failure.message;

const SENTENCES: Record<string, string> = {
  session_required: "Your session has ended. Sign in again.",
  agent_not_found: "This agent is not here any more.",
  unavailable: "A chain or our database does not answer. Nothing was changed. Try again in a moment.",
  unreachable: "We could not be reached, so we do not know whether it was changed. Reload the page to see.",
  webhook_not_verified: "Verify the receiver first.",
  webhook_not_found: "This webhook is not here any more.",
  delivery_not_found: "This delivery is not here any more.",
  url_invalid: "Write a whole URL, as https://example.com/hooks.",
  url_has_credentials: "The URL must not hold a user name or a password.",
  url_not_https: "The URL must begin with https://.",
  url_not_public: "The URL must name a host on the public internet.",
  rate_limited: "That was too often in a short time. Wait a minute, then try again.",
};

/** Which of an agent's payments a scan refuses. */
export const PAYMENT_SCAN_WORDS = {
  off: "Not scanned",
  block: "Refuse what is blocked",
  review: "Refuse what is blocked or doubtful",
} satisfies Record<PaymentScan, string>;
