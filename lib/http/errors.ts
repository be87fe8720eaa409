import { AppError, failures } from "@/lib/core/errors";

/** Errors that any endpoint can return before its domain code runs. */
export const edgeErrors = failures({
  invalid_request: ["invalid", "The request is not valid"],
  endpoint_not_found: ["not_found", "There is no endpoint at this path. GET /openapi.json lists the endpoints"],
  invalid_json: ["invalid", "The body must be a JSON object in UTF-8, without duplicate members"],
  body_too_large: ["too_large", "The body is too large for this endpoint"],
  uri_too_long: ["uri_too_long", "The path or the query is too long, or has too many parameters"],
  headers_too_large: ["headers_too_large", "The headers are too large for this path"],
  unsupported_media_type: ["unsupported_media", "Send the body as application/json"],
  session_required: ["unauthenticated", "Sign in with your wallet first"],
  origin_not_allowed: ["forbidden", "This request did not come from a page of this service"],
  rate_limited: ["limited", "Too many requests; wait before the next one"],
  idempotency_key_reused: [
    "conflict",
    "This Idempotency-Key was used for a different request. Use a new key for a new request",
  ],
  idempotency_in_progress: [
    "conflict",
    "The first request with this Idempotency-Key is still in progress. Repeat the request in a moment",
  ],
  idempotency_unknown: [
    "conflict",
    "The first request with this Idempotency-Key ended without a response and may have been carried out. Check its effect before you repeat it with a new key",
  ],
  unavailable: [
    "unavailable",
    "A chain or the database is not responding. Before you repeat a request that moves money, check whether it was carried out",
  ],
  internal_error: ["internal", "Something went wrong on our side. Include the request id if you report it"],
});

/** For one of several things that are done one after the other: the response must contain what became of the others. */
export async function orRefusal<T>(work: () => Promise<T>): Promise<T | AppError> {
  try {
    return await work();
  } catch (thrown) {
    return thrown instanceof AppError ? thrown : edgeErrors.unavailable(undefined, thrown);
  }
}

/** What the owner reads of a refusal: the message without what only helps programs. */
export const toRefusal = ({ code, message, details }: AppError): { code: string; message: string } => ({
  code: code.toLowerCase(),
  message: typeof details?.message === "string" ? details.message : message,
});

/**
 * The log message, with `method`, `path` and `code`, for an error that a handler threw although its contract does not
 * declare it. Clients cannot prepare for such an error; the tests fail on it.
 */
export const UNDECLARED_ERROR = "undeclared_error";
