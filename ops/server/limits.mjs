// Limits on a request before Next or the service reads it. The cost of parsing grows faster than the size of the input.

import { hasBody } from "./late.mjs";
import { methodsAt } from "./routes.mjs";
import { splitTarget } from "./target.mjs";

/** The longest legitimate path is a payment link's with its id; the longest query is a cursor with filters, or a text for the firewall page. */
export const PATH_BYTES_MAX = 2048;
export const QUERY_BYTES_MAX = 8192;
export const PARAMETERS_MAX = 100;

/** Bytes of headers, without a proof or credential on paths that accept one. */
export const HEADER_BYTES_MAX = 16_384;

/** Node drops all headers after the thousandth without a trace, such as the client's address that a proxy adds as the last one. */
export const HEADERS_MAX = 200;

/** All header bytes of one request: enough for the longest credential that the service issues. Above it Node returns 431. */
export const HEADER_BYTES_EVER_MAX = 131_072;

/** Methods that pages and endpoints use. For some others Next returns 500, because the web's Request forbids them. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Static files, served by Next. It returns 500 for a file requested with another method. */
const FILES = /^\/(?:_next\/|icon\.svg$|home\.js$|sw\.js$)/;
/** The methods of pages, files and unknown paths. Nothing there takes a body, and Next would keep all of it in memory. */
const READING = ["GET", "HEAD"];

/** Next's image optimizer. No page uses it, and it decodes what strangers have uploaded. */
const IMAGE_OPTIMIZER = /^\/+_next\/+image(?:\/|$)/;

/** The headers that may be large, and the paths that accept them. */
const PROOFS = new Set(["x-payment", "payment-signature"]);
const PAID_FOR = /^\/(?:unifypaymentlink|pay|paymentlink|api\/transaction-firewall)\/|^\/api\/credits\/top-up\/?$/;
const CREDENTIALS = new Set(["authorization"]);
const CREDENTIAL_PATHS = /^\/agent\/vc\/issue\/?$/;

/**
 * Why a request is refused, or null. Reads each byte at most once.
 *
 * @typedef {{ status: number, code: string, message: string, allow?: readonly string[], retryAfterSeconds?: number }} Refusal
 * @param {{ method?: string | undefined, url?: string | undefined, rawHeaders: readonly string[] }} request
 * @returns {Refusal | null}
 */
export function refusalOf({ method = "GET", url = "", rawHeaders }) {
  if (!METHODS.has(method)) return METHOD_NOT_ALLOWED;
  const { path, query } = splitTarget(url);
  if (!path.startsWith("/")) return invalid("The request target must be a path");
  if (path.length > PATH_BYTES_MAX) return tooLong(`The path is longer than ${PATH_BYTES_MAX} bytes`);
  const decoded = decodedPath(path);
  if (decoded === null) return invalid("The path is not percent-encoded UTF-8");
  if (IMAGE_OPTIMIZER.test(decoded)) return NOT_FOUND;
  if (query.length > QUERY_BYTES_MAX) return tooLong(`The query is longer than ${QUERY_BYTES_MAX} bytes`);
  if (parametersIn(query) > PARAMETERS_MAX) {
    return tooLong(`The query has more than ${PARAMETERS_MAX} parameters`);
  }
  if (rawHeaders.length > 2 * HEADERS_MAX) return TOO_MANY_HEADERS;
  if (headerBytes(path, rawHeaders) > HEADER_BYTES_MAX) return HEADERS_TOO_LARGE;
  // RFC 9112, 3.2: a proxy in front may have used a different one of the two.
  if (namesOf(rawHeaders).filter((name) => name === "host").length > 1) return invalid("There are two Host headers");
  const allow = (!FILES.test(path) && methodsAt(path)) || READING;
  if (!allow.includes(method)) return { ...METHOD_NOT_ALLOWED, allow };
  return allow === READING && hasBody(rawHeaders) ? BODY_NOT_ALLOWED : null;
}

/** @type {Refusal} */
const METHOD_NOT_ALLOWED = {
  status: 405,
  code: "method_not_allowed",
  message: "This path does not support this method",
};

/** @type {Refusal} */
const NOT_FOUND = { status: 404, code: "endpoint_not_found", message: "There is nothing at this path" };

/** @type {Refusal}. Why: docs/decisions.md, 428. */
const BODY_NOT_ALLOWED = { status: 400, code: "invalid_request", message: "This path takes no body" };

/** @type {Refusal} */
export const HEADERS_UNREADABLE = { status: 400, code: "invalid_request", message: "The headers cannot be read" };

/** @type {Refusal} */
const HEADERS_TOO_LARGE = {
  status: 431,
  code: "headers_too_large",
  message: `The headers are larger than ${HEADER_BYTES_MAX} bytes without the payment or credential that this path accepts`,
};

/** @type {Refusal} */
const TOO_MANY_HEADERS = { ...HEADERS_TOO_LARGE, message: `There are more than ${HEADERS_MAX} headers` };

/** @param {string} message @returns {Refusal} */
const tooLong = (message) => ({ status: 414, code: "uri_too_long", message });

/** @param {string} message @returns {Refusal} */
const invalid = (message) => ({ status: 400, code: "invalid_request", message });

/** @param {string} query */
function parametersIn(query) {
  let count = query === "" ? 0 : 1;
  for (let at = query.indexOf("&"); at !== -1; at = query.indexOf("&", at + 1)) count++;
  return count;
}

/** Null if it is not encoded as UTF-8, or has a NUL, which ends a string in some programs that read paths. */
function decodedPath(/** @type {string} */ path) {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes("\0") ? null : decoded;
  } catch {
    return null;
  }
}

/** @param {readonly string[]} rawHeaders names and values in turn, as Node gives them */
const namesOf = (rawHeaders) => rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());

/**
 * Bytes of the header lines, excluding those that may be large at this path.
 *
 * @param {string} path
 * @param {readonly string[]} rawHeaders names and values in turn, as Node gives them
 */
function headerBytes(path, rawHeaders) {
  const isFree = freeHeaders(path);
  let bytes = 0;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!isFree(name.toLowerCase())) bytes += name.length + value.length + 4;
  }
  return bytes;
}

/** @param {string} path @returns {(name: string) => boolean} */
function freeHeaders(path) {
  if (PAID_FOR.test(path)) return (name) => PROOFS.has(name);
  if (CREDENTIAL_PATHS.test(path)) return (name) => CREDENTIALS.has(name);
  return () => false;
}
