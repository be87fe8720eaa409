import { type Fields, fieldsOf, textOf } from "./json.ts";

/** A response to a proof, with JSON values; undefined where there is none. */
export type ProofResponse = {
  status: number;
  /** Of the header `PAYMENT-RESPONSE` of x402 v2 or `X-PAYMENT-RESPONSE` of v1. */
  receipt: unknown;
  /** Of the header `PAYMENT-REQUIRED`, which says in x402 v2 what went wrong. */
  required: unknown;
  body: unknown;
  /** Whether the seller is this service itself, whose word on what can still be paid is trusted. */
  isOwn: boolean;
};

/** What a response to a proof means, by the word of the seller. */
export type ProofOutcome =
  /** The response is what was bought, or says that it is paid. */
  | { type: "delivered" }
  /** The seller takes more time. `/api/settlements/{settlementId}` at a seller that this service settles for has the end. */
  | { type: "accepted"; settlementId: string | undefined; contentUrl: string | undefined }
  /** The proof was presented before. `result`, or what is at `contentUrl`, is what it bought. */
  | { type: "used"; settlementId: string | undefined; contentUrl: string | undefined; result: unknown }
  /** Nothing is known yet: present the same proof again. */
  | { type: "undecided" }
  /** Refused. `end`: no money moves any more, or the seller has seen the proof and can still submit it, or nobody knows. */
  | { type: "refused"; end: "not_paid" | "declined" | "unknown" };

/**
 * What a response to a proof means. Unless it ends as `not_paid`, it is wrong to sign another proof before this one expires.
 *
 * @example
 * const outcome = readProofResponse({ status, receipt: decodeHeader(header), required: undefined, body, isOwn: false });
 * if (outcome.type === "undecided") presentAgain();
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
  // 2xx: x402's `settlement_pending`.
  const isAskedAgain =
    isSuccess || status >= 500 || [408, 425, 429].includes(status) || code === "PAYMENT_NOT_YET_VALID";
  if (isAskedAgain && !isFailed) return { type: "undecided" };
  return { type: "refused", end: isFailed || status >= 400 ? "declined" : "unknown" };
}

/** The machine-readable code of an error: `code`, or `error` where that is one. Undefined if there is none. */
export const readCode = ({ code, error }: Fields): string | undefined =>
  [code, error].map(textOf).find((text) => text && /^\w+$/.test(text));

/** Why a seller refused a proof, in its words: x402 v2 says so in a header, v1 in the body. Undefined if it says nothing. */
export const readReason = ({ required, body }: Pick<ProofResponse, "required" | "body">): string | undefined =>
  textOf(fieldsOf(required).error) ?? textOf(fieldsOf(body).error);

/** Where to go after a response: nowhere if it is no redirect. */
export type Redirect = { type: "none" } | { type: "refused" } | { type: "followed"; url: URL };

/**
 * Whether a redirect of a request to `url` (http or https) is followed. A proof and a body stay with the origin that they are meant for,
 * and https never becomes http.
 *
 * @example
 * readRedirect({ status: 308, location: "/moved" }, { url: new URL("https://a.example/r"), method: "GET", isPaying: true });
 * // { type: "followed", url: https://a.example/moved }
 */
export function readRedirect(
  { status, location }: { status: number; location: string | null | undefined },
  { url, method, isPaying }: { url: URL; method: string; isPaying: boolean },
): Redirect {
  const keepsMethod = status === 307 || status === 308;
  if (!location || !(keepsMethod || (status >= 301 && status <= 303))) return { type: "none" };
  const next = URL.canParse(location, url) && new URL(location, url);
  const isRead = method === "GET" || method === "HEAD";
  const isAllowed =
    next &&
    (next.protocol === "https:" || next.protocol === url.protocol) &&
    next.username + next.password === "" &&
    (isRead || keepsMethod) &&
    ((isRead && !isPaying) || next.origin === url.origin);
  return isAllowed ? { type: "followed", url: next } : { type: "refused" };
}
