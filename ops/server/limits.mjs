// Limits that apply before Next or the service reads a request: parsing costs grow faster than the size of the input.

import { hasBody } from "./late.mjs";
import { methodsAt } from "./routes.mjs";
import { splitTarget } from "./target.mjs";

/** The longest path is that of a payment link; the longest query is a cursor with filters, or a text for the firewall page. */
export const PATH_BYTES_MAX = 2048;
export const QUERY_BYTES_MAX = 8192;
export const PARAMETERS_MAX = 100;

/** Header bytes, not counting a proof or credential on paths that accept one. */
export const HEADER_BYTES_MAX = 16_384;

/** Node silently drops headers after the thousandth, such as the client's address that a proxy appends. */
export const HEADERS_MAX = 200;

/** All header bytes of a request: room for the longest credential that the service issues. Above it, Node returns 431. */
export const HEADER_BYTES_EVER_MAX = 131_072;

/** Methods that pages and endpoints use. Next returns 500 for some others, which the Fetch API's Request forbids. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Static files, served by Next, which returns 500 for other methods. */
const FILES = /^\/(?:_next\/|icon\.svg$|home\.js$|sw\.js$)/;
/** The methods of pages, files and unknown paths. These take no body, and Next would buffer all of it in memory. */
const READING = ["GET", "HEAD"];

/** Next's image optimizer. No page uses it, and it would decode images that strangers uploaded. */
const IMAGE_OPTIMIZER = /^\/+_next\/+image(?:\/|$)/;

/** The headers that may be large, and the paths that accept them. */
const PROOFS = new Set(["x-payment", "payment-signature"]);
const PAID_FOR =
  /^\/(?:unifypaymentlink|pay|paid|pass|paymentlink|api\/transaction-firewall)\/|^\/api\/credits\/top-up\/?$/;
const CREDENTIALS = new Set(["authorization"]);
const CREDENTIAL_PATHS = /^\/agent\/vc\/issue\/?$/;

/**
 * Why a request is refused, or null. Linear in the size of the request.
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
  // RFC 9112, 3.2: a proxy may have used the other Host header.
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host");
  if (hosts.length > 1) return invalid("There are two Host headers");
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

/** @type {Refusal}. Why: docs/decisions.md, 445. */
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
  for (let index = query.indexOf("&"); index !== -1; index = query.indexOf("&", index + 1)) count++;
  return count;
}

/** Null if the path is not valid UTF-8 or contains NUL, at which some programs truncate paths. */
function decodedPath(/** @type {string} */ path) {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes("\0") ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * Bytes of the header lines, not counting those that may be large on this path.
 *
 * @param {string} path
 * @param {readonly string[]} rawHeaders alternating names and values, as Node provides them
 */
function headerBytes(path, rawHeaders) {
  const isFree = freeHeaders(path);
  let bytes = 0;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const { [index]: name = "", [index + 1]: value = "" } = rawHeaders;
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
