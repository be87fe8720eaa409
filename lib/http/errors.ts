import { AppError, failures, type Remedies } from "@/lib/core/errors";

/** Errors that any endpoint can return before its domain code runs. */
export const edgeErrors = failures({
  invalid_request: ["invalid", "The request is not valid"],
  endpoint_not_found: ["not_found", "There is no endpoint at this path. GET /openapi.json lists the endpoints"],
  invalid_json: ["invalid", "The body must be a JSON object in UTF-8, without duplicate members"],
  body_too_large: ["too_large", "The body is too large for this endpoint"],
  uri_too_long: ["uri_too_long", "The path or the query is too long, or has too many parameters"],
  headers_too_large: ["headers_too_large", "The headers are too large for this path"],
  unsupported_media_type: ["unsupported_media", "Send the body as application/json"],
  session_required: ["unauthenticated", "You are not signed in, or your session has ended. Sign in with your wallet"],
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

/** Returns the error of `work` instead of throwing it. For one of several steps: the response contains the results of all. */
export async function orRefusal<T>(work: () => Promise<T>): Promise<T | AppError> {
  try {
    return await work();
  } catch (error) {
    return error instanceof AppError ? error : edgeErrors.unavailable(undefined, error);
  }
}

/** The code and message of a refusal for the owner, without details meant for programs. */
export const toRefusal = ({ code, message, details }: AppError): { code: string; message: string } => ({
  code: code.toLowerCase(),
  message: typeof details?.message === "string" ? details.message : message,
});

/**
 * The log message, with `method`, `path` and `code`, for an error that a handler threw although its contract does not
 * declare it. Clients cannot prepare for such an error; the tests fail on it.
 */
export const UNDECLARED_ERROR = "error.undeclared";

export const edgeRemedies: Remedies = {
  invalid_request: {
    cause: "A parameter or a member of the body does not have the documented form. `field` names it, if there is one.",
    remedy: "Nothing was done. Correct the request; the [reference](/docs/reference) has each field and its limits.",
  },
  rate_limited: {
    cause: "Too many requests of this kind by one agent, owner or address.",
    remedy: "Nothing was done. Wait for `Retry-After` seconds.",
  },
  idempotency_key_reused: {
    cause: "The key was used within 24 hours for a request with another path or body.",
    remedy: "Nothing was done. Use a new key for a new request, and the same key only for the same request.",
  },
  idempotency_in_progress: {
    cause: "The first request with this key has not ended.",
    remedy: "Repeat with the same key in a moment.",
  },
  idempotency_unknown: {
    cause: "The process that carried out the first request with this key died before it answered.",
    remedy:
      "Look for the effect of the first request (list the payments, payouts or links) before you repeat it with a new key.",
  },
  unavailable: {
    cause: "A chain's node or the database does not answer.",
    remedy:
      "Repeat after `Retry-After` seconds with the same `Idempotency-Key`, or present the same proof again. Do not assume that nothing was done.",
  },
  internal_error: {
    cause: "An error of this service.",
    remedy:
      "Treat the outcome as unknown: repeat with the same `Idempotency-Key` or the same proof. Include `requestId` if you report it.",
  },
  body_too_large: {
    cause: "Each endpoint reads a limited number of bytes, 64 KiB unless its reference says otherwise.",
    remedy: "Send less in one request.",
  },
  headers_too_large: {
    cause:
      "All headers together are larger than this path allows. A browser may add cookies of another service on the same host.",
    remedy: "Send only the headers that the reference names.",
  },
  uri_too_long: {
    cause: "The path, the query or the number of parameters is above its limit.",
    remedy: "Send long values in the body of an endpoint that takes one.",
  },
  invalid_json: {
    cause:
      "The body is not one JSON object in UTF-8, or names a member twice. JSON readers differ in which of the two they use.",
    remedy: "Write the body with a JSON library, and send `{}` where nothing is needed.",
  },
  unsupported_media_type: {
    cause:
      "The body is not declared as JSON. A browser sends forms to other sites without a preflight, so only JSON is accepted.",
    remedy: "Send `Content-Type: application/json`.",
  },
  origin_not_allowed: {
    cause:
      "A browser sent the request from a page of another site: with this site's session, or to `/mcp` of a service without https.",
    remedy: "Call the endpoint from a page of this service. Programs send no `Origin`, and log in as an agent.",
  },
  session_required: {
    cause: "The endpoint is for a person who has signed in with their wallet. The session is missing or has ended.",
    remedy: "Sign in on a page of this service. An agent uses the endpoints that take its JWT.",
  },
};
