import type { Kind } from "./errors";

/** What a caller does after an error. The keys are the values of `retry` in error bodies. */
export const RETRY_RULES = {
  same_request:
    "Send the same request again after the seconds in Retry-After, or a few seconds, with the same payment proof or the same Idempotency-Key: it is carried out at most once. Without either, first check whether it was carried out",
  wait: "Wait for the seconds in Retry-After, or until the time in stillValidUntil. Then send the same request again, with the same proof or key. Sign no other proof before that",
  read_first:
    "The request conflicts with what exists, or its outcome is not known. Read the current state before you do anything else, and pay nothing again until you have read it",
  never_again:
    "Do not send this request again, and do not pay again for the same purchase: it was already carried out, or it is over",
  new_proof: "No money moved, and this proof can never move any. Signing a new one is safe",
  fix_request: "This request did nothing. Correct it as the message says before you send it again",
  log_in: "This request did nothing. Log in, then send the same request again",
  ask_user:
    "This request did nothing. A person has to do something first, or to decide: tell them what the message says",
} as const;

export type RetryRule = keyof typeof RETRY_RULES;

const BY_KIND: Record<Kind, RetryRule> = {
  invalid: "fix_request",
  unauthenticated: "log_in",
  payment_required: "fix_request",
  forbidden: "ask_user",
  not_found: "fix_request",
  conflict: "read_first",
  gone: "never_again",
  too_large: "fix_request",
  uri_too_long: "fix_request",
  unsupported_media: "fix_request",
  unprocessable: "fix_request",
  limited: "wait",
  headers_too_large: "fix_request",
  internal: "same_request",
  unavailable: "same_request",
};

/** The lower-case codes whose rule differs from that of their kind. Why: docs/decisions.md, 114. */
export const RETRY_EXCEPTIONS: Readonly<Record<string, RetryRule>> = {
  // Errors of the payment header.
  payment_already_used: "never_again",
  payment_not_over_yet: "wait",
  payment_not_yet_valid: "wait",
  payment_expired: "new_proof",
  settlement_failed: "wait",
  insufficient_credits: "ask_user",
  no_receipt: "never_again",
  // Errors of the edge.
  origin_not_allowed: "fix_request",
  idempotency_key_reused: "fix_request",
  idempotency_in_progress: "wait",
  // A person acts first.
  wallet_not_linked: "ask_user",
  agent_not_linked: "ask_user",
  insufficient_balance: "ask_user",
  nothing_signed_yet: "ask_user",
  mandate_not_claimed: "ask_user",
  insufficient_owner_funds: "ask_user",
  vault_not_funded: "ask_user",
  approval_denied: "never_again",
  // The request names something else.
  agent_mismatch: "fix_request",
  approval_mismatch: "fix_request",
  payout_conflict: "fix_request",
  duplicate_biz_id: "never_again",
  too_many_webhooks: "fix_request",
  too_many_browsers: "fix_request",
  address_exists: "fix_request",
  link_of_invoice: "fix_request",
  files_full: "fix_request",
  file_url_expired: "read_first",
  invoice_number_taken: "fix_request",
  address_book_full: "fix_request",
  // The state changes by itself.
  vault_not_released: "wait",
  mandate_period_budget_used: "wait",
  owner_limit_reached: "wait",
  pocket_busy: "wait",
  payment_not_final: "wait",
  delivery_underway: "wait",
};

/** Codes after which nothing was done, although the same request may succeed later or with a signature. Its Idempotency-Key stays free. */
export const UNDONE_CODES: ReadonlySet<string> = new Set([
  "signature_required",
  "agent_authorization_required",
  "agent_authorization_invalid",
  "vault_not_ready",
  "vault_not_funded",
  "vault_not_released",
  "mandate_period_budget_used",
  "insufficient_balance",
  "owner_limit_reached",
  "pocket_busy",
]);

/** The rule of an error code, in any letter case, whose kind is `kind`. */
export const retryRule = (code: string, kind: Kind): RetryRule => RETRY_EXCEPTIONS[code.toLowerCase()] ?? BY_KIND[kind];

/**
 * The rule of one error, given the other members of its body. Until `stillValidUntil`, anyone can still settle the proof. A failed
 * transfer without it moved nothing and never will. A paid call that failed without `repeatUntil` has no other try; `callEnd` is of one on
 * a pass. A sold-out link with `pendingPayments` may have a place again.
 */
export function retryOf(
  code: string,
  kind: Kind,
  body: {
    readonly stillValidUntil?: unknown;
    readonly availableAt?: unknown;
    readonly repeatUntil?: unknown;
    readonly callEnd?: unknown;
    readonly pendingPayments?: unknown;
  } = {},
): RetryRule {
  const rule = retryRule(code, kind);
  // It never becomes available: only a person can change that.
  if (rule === "wait" && body.availableAt === null) return "ask_user";
  const name = code.toLowerCase();
  if (name === "link_sold_out" && body.pendingPayments) return "wait";
  if (name === "upstream_failed" && !body.repeatUntil && body.callEnd !== "back")
    return body.callEnd === "blocked" || body.callEnd === "unknown" ? "read_first" : "never_again";
  const isOpen = body.stillValidUntil !== undefined && body.stillValidUntil !== null;
  if (name === "settlement_failed") return isOpen ? "wait" : "new_proof";
  return isOpen && rule !== "never_again" && rule !== "same_request" ? "wait" : rule;
}

/** The page that explains an error code. */
export const docsUrl = (baseUrl: string, code: string): string => `${baseUrl}/docs/errors/${code.toLowerCase()}`;
