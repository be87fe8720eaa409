// What a request may be before Next or the service read it. Both take time that grows faster than what is sent.

/** The longest legitimate path is a payment link's with its id; the longest query a cursor with filters, or a text for the firewall page. */
export const PATH_BYTES_MAX = 2048;
export const QUERY_BYTES_MAX = 8192;
export const PARAMETERS_MAX = 100;

/** Header bytes besides a proof or a credential where one is taken. */
export const HEADER_BYTES_MAX = 16_384;

/** All header bytes of one request: the longest credential that we issue fits. Node itself answers 431 above it. */
export const HEADER_BYTES_EVER_MAX = 131_072;

/** What pages and endpoints are asked by. Next answers 500 to some of the others, since the web's Request forbids them. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Files, which Next serves itself; it answers 500 where another method asks for one. */
const FILES = /^\/(?:_next\/|icon\.svg$)/;
const READING = new Set(["GET", "HEAD"]);

/** The headers that may be large, and where. */
const PROOFS = new Set(["x-payment", "payment-signature"]);
const PAID_FOR = /^\/(?:unifypaymentlink|pay|paymentlink|api\/transaction-firewall)\/|^\/api\/credits\/top-up\/?$/;
const CREDENTIALS = new Set(["authorization"]);
const CREDENTIAL_PATHS = /^\/agent\/vc\/issue\/?$/;

/**
 * Why a request is not handed on, or null. Reads each byte at most once.
 *
 * @typedef {{ status: 400 | 405 | 414 | 431, code: string, message: string }} Refusal
 * @param {{ method?: string | undefined, url?: string | undefined, rawHeaders: readonly string[] }} request
 * @returns {Refusal | null}
 */
export function refusalOf({ method = "GET", url = "", rawHeaders }) {
  if (!METHODS.has(method)) return METHOD_NOT_ALLOWED;
  const { path, query } = splitTarget(url);
  if (FILES.test(path) && !READING.has(method)) return METHOD_NOT_ALLOWED;
  if (!path.startsWith("/")) return invalid("The request target must be a path");
  if (path.length > PATH_BYTES_MAX) return tooLong(`The path is longer than ${PATH_BYTES_MAX} bytes`);
  if (!isEncoded(path)) return invalid("The path is not percent-encoded UTF-8");
  if (query.length > QUERY_BYTES_MAX) return tooLong(`The query is longer than ${QUERY_BYTES_MAX} bytes`);
  if (parametersIn(query) > PARAMETERS_MAX) {
    return tooLong(`The query has more than ${PARAMETERS_MAX} parameters`);
  }
  if (headerBytes(path, rawHeaders) > HEADER_BYTES_MAX) return HEADERS_TOO_LARGE;
  // RFC 9112, 3.2: a proxy in front may have gone by another one than we would.
  if (namesOf(rawHeaders).filter((name) => name === "host").length > 1) return invalid("There are two Host headers");
  return null;
}

/** @type {Refusal} */
const METHOD_NOT_ALLOWED = {
  status: 405,
  code: "method_not_allowed",
  message: "This path has no such method",
};

/** @type {Refusal} */
const HEADERS_TOO_LARGE = {
  status: 431,
  code: "headers_too_large",
  message: `The headers are larger than ${HEADER_BYTES_MAX} bytes without the payment or credential that this path takes`,
};

/** @param {string} url */
export function splitTarget(url) {
  const at = url.indexOf("?");
  return at === -1 ? { path: url, query: "" } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

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

/** NUL ends a string in some programs that read paths, so it is no part of one here. */
function isEncoded(/** @type {string} */ path) {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

/** @param {readonly string[]} rawHeaders names and values in turn, as Node gives them */
const namesOf = (rawHeaders) => rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());

/**
 * Bytes of the header lines, without those that may be large at this path.
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
