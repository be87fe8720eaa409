import { type Fields, fieldsOf, textOf } from "./json.ts";
import { parseUrl } from "./url.ts";

/** A seller's response to a proof, as parsed JSON; a missing part is undefined. */
export type ProofResponse = {
  status: number;
  /** The header `PAYMENT-RESPONSE` (x402 v2) or `X-PAYMENT-RESPONSE` (v1), decoded. */
  receipt: unknown;
  /** The header `PAYMENT-REQUIRED`, decoded: x402 v2 states the error there. */
  required: unknown;
  body: unknown;
  /** Whether the seller is this service: only its statement that a proof can no longer be paid is trusted. */
  isOwn: boolean;
};

/** What a response to a proof means, as the seller states it. */
export type ProofOutcome =
  /** The response is the purchase, or states that the payment settled. */
  | { type: "delivered" }
  /** The settlement is pending. A seller that this service settles for has its end at `/api/settlements/{settlementId}`. */
  | { type: "accepted"; settlementId: string | undefined; contentUrl: string | undefined }
  /** The proof was presented before. The purchase is in `result` or at `contentUrl`. */
  | { type: "used"; settlementId: string | undefined; contentUrl: string | undefined; result: unknown }
  /** The response does not decide: present the same proof again. */
  | { type: "undecided" }
  /**
   * Refused. `not_paid`: the proof can no longer move money. `declined`: the seller has the proof and can still submit it. `unknown`:
   * the response does not say.
   */
  | { type: "refused"; end: "not_paid" | "declined" | "unknown" };

/**
 * Reads a seller's response to a proof (x402 v1 or v2). Never throws. Unless the payment was refused with `not_paid`, do not sign another
 * proof for the same purchase before this one expires: both could be paid.
 *
 * @example
 * const outcome = readProofResponse({ status, receipt: decodeHeader(header), required: undefined, body, isOwn: false });
 * const isSafeToPayAgain = outcome.type === "refused" && outcome.end === "not_paid";
 */
export function readProofResponse({ status, receipt, required, body, isOwn }: ProofResponse): ProofOutcome {
  const { success } = fieldsOf(receipt);
  const fields = { ...fieldsOf(required), ...fieldsOf(body) };
  const settlementId = textOf(fields.settlementId);
  const contentUrl = textOf(fields.contentUrl);
  const isSuccess = status >= 200 && status < 300;
  if (status === 202 && success !== true && (settlementId !== undefined || success !== false))
    return { type: "accepted", settlementId, contentUrl };
  if (success === true || (isSuccess && success !== false)) return { type: "delivered" };
  const code = readCode(fields);
  if (code === "PAYMENT_ALREADY_USED") return { type: "used", settlementId, contentUrl, result: fields.result };
  const isFailed = code === "SETTLEMENT_FAILED";
  const isOver = (isFailed && textOf(fields.stillValidUntil) === undefined) || code === "PAYMENT_EXPIRED";
  if (isOwn && isOver) return { type: "refused", end: "not_paid" };
  // A 2xx that gets here has `success: false`: `settlement_pending` of x402.
  const isAskedAgain =
    isSuccess || status >= 500 || [408, 425, 429].includes(status) || code === "PAYMENT_NOT_YET_VALID";
  if (isAskedAgain && !isFailed) return { type: "undecided" };
  return { type: "refused", end: isFailed || status >= 400 ? "declined" : "unknown" };
}

/**
 * Returns the machine-readable code in an error body: `code`, otherwise `error`, if it consists of letters, digits and underscores.
 *
 * @example
 * readCode({ error: "insufficient_funds" }); // "insufficient_funds"
 * readCode({ error: "Not enough USDC" }); // undefined
 */
export const readCode = ({ code, error }: Fields): string | undefined =>
  [code, error].map(textOf).find((text) => text && /^\w+$/.test(text));

/**
 * Returns the seller's reason for a refused proof: `error` of the `PAYMENT-REQUIRED` header (x402 v2), otherwise of the body (v1), or
 * `detail` of a problem (RFC 9457). Undefined if none states one. The text is untrusted.
 *
 * @example
 * const required = decodeHeader(response.headers.get("payment-required") ?? "");
 * const reason = readReason({ required, body: await response.json() }) ?? "no reason given";
 */
export const readReason = ({ required, body }: Pick<ProofResponse, "required" | "body">): string | undefined =>
  textOf(fieldsOf(required).error) ?? textOf(fieldsOf(body).error) ?? textOf(fieldsOf(body).detail);

/** `none`: the response is not a redirect. `refused`: the redirect must not be followed. */
export type Redirect = { type: "none" } | { type: "refused" } | { type: "followed"; url: URL };

/**
 * Decides whether to follow a redirect (RFC 9110, section 15.4) of a request to `url`, an http or https URL. A request with a proof, or
 * with a method other than GET and HEAD, stays at its origin. https never becomes http.
 *
 * @example
 * const url = new URL("https://a.example/r");
 * readRedirect({ status: 308, location: "/moved" }, { url, method: "GET", isPaying: true });
 * // { type: "followed", url: https://a.example/moved }
 */
export function readRedirect(
  { status, location }: { status: number; location: string | null | undefined },
  { url, method, isPaying }: { url: URL; method: string; isPaying: boolean },
): Redirect {
  const keepsMethod = status === 307 || status === 308;
  if (!location || !(keepsMethod || (status >= 301 && status <= 303))) return { type: "none" };
  const next = parseUrl(location, url);
  const isRead = method === "GET" || method === "HEAD";
  const isAllowed =
    next &&
    (next.protocol === "https:" || next.protocol === url.protocol) &&
    next.username + next.password === "" &&
    (isRead || keepsMethod) &&
    ((isRead && !isPaying) || next.origin === url.origin);
  return isAllowed ? { type: "followed", url: next } : { type: "refused" };
}
