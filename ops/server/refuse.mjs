import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { splitTarget } from "./target.mjs";

/** Which of the three error bodies of lib/http/route.ts a path uses. */
const IDENTITY =
  /^\/(?:register|refresh|oauth\/(?:register|token|revoke)|token\/rotate|verify-vc|public-key\.pem)\/?$|^\/(?:agent|\.well-known(?!\/(?:x402|erc7730)))\//;
const RESOURCES =
  /^\/(?:pay|paid|pass|mcp(?!\/(?:oauth\/?)?$)|paymentlink|unifypaymentlink|receipt|discovery)\/|^\/openapi\.json$|^\/\.well-known\/(?:x402$|erc7730(?:\/|$))|^\/api\/(?:invoices|payment-links|received-payments|settlements|transaction-firewall)(?:\/|$)|^\/api\/credits\/top-up\/?$/;

const CORS = /** @type {const} */ ([
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", "X-Request-Id, Retry-After"],
]);

/** Codes without a documentation page, because no endpoint has them. */
const WITHOUT_PAGE = new Set(["method_not_allowed", "request_timeout"]);

/** @param {string} code */
const docsUrlOf = (code) => {
  const base = (process.env.PUBLIC_BASE_URL ?? "").replace(/\/+$/, "");
  return `${base}/docs/errors${WITHOUT_PAGE.has(code) ? "" : `/${code}`}`;
};

/**
 * The response to a request that the server refuses. The connection then closes, so that unread bytes are not parsed as the next
 * request.
 *
 * @param {import("./limits.mjs").Refusal} refusal
 * @param {string} path
 */
export function answerTo({ status, code, message, allow, retryAfterSeconds }, path) {
  const requestId = randomUUID();
  const isResource = RESOURCES.test(path);
  const named = {
    status: "error",
    error: message,
    message,
    code: isResource ? code.toUpperCase() : code,
    requestId,
    retry: retryRule(status),
    docsUrl: docsUrlOf(code),
  };
  const body = `${JSON.stringify(IDENTITY.test(path) ? { error: code } : named)}\n`;
  /** @type {[string, string][]} */
  const headers = [
    ["Content-Type", "application/json"],
    ["Content-Length", String(Buffer.byteLength(body))],
    ["Cache-Control", "no-store"],
    ["X-Request-Id", requestId],
    ["Connection", "close"],
    ...(retryAfterSeconds ? [/** @type {[string, string]} */ (["Retry-After", String(retryAfterSeconds)])] : []),
    ...(allow ? [/** @type {[string, string]} */ (["Allow", allow.join(", ")])] : []),
    ...(isResource ? CORS.map(([name, value]) => /** @type {[string, string]} */ ([name, value])) : []),
  ];
  return { requestId, status, headers, body };
}

/** @param {number} status */
function retryRule(status) {
  if (status === 429) return "wait";
  return status === 408 || status >= 500 ? "same_request" : "fix_request";
}

/** Responses to input that Node could not parse as a request, by Node's error codes. */
const UNREADABLE = new Map([
  ["HPE_HEADER_OVERFLOW", { status: 431, code: "headers_too_large", message: "The headers are too large" }],
  ["ERR_HTTP_REQUEST_TIMEOUT", { status: 408, code: "request_timeout", message: "The request did not arrive in time" }],
]);
const BAD_REQUEST = { status: 400, code: "invalid_request", message: "This is not an HTTP request" };

/**
 * Responds to a request for another protocol, such as a WebSocket: nothing here speaks one, and paid requests are forwarded over HTTP only.
 *
 * @param {{ method?: string | undefined, url?: string | undefined }} req
 * @param {import("node:stream").Duplex} socket
 * @param {readonly (readonly [string, string])[]} securityHeaders
 * @param {(refused: import("./log.mjs").Refused) => void} log
 */
export function refuseUpgrade({ method = "GET", url = "/" }, socket, securityHeaders, log) {
  const { path } = splitTarget(url);
  // Node has removed its own listeners: a reset would end the process, and a client that never closes would keep the socket.
  socket.on("error", () => {});
  setTimeout(() => socket.destroy(), CLOSING_MS).unref();
  endWith(socket, UPGRADE, { method, path }, securityHeaders, log);
}

const CLOSING_MS = 2_000;

const UPGRADE = {
  status: 400,
  code: "invalid_request",
  message: "There are no WebSockets here. Send a plain HTTP request",
};

/**
 * Responds on the raw socket to input that Node cannot parse. `log` receives the response's metadata.
 *
 * @param {Error & { code?: string, rawPacket?: Buffer }} error
 * @param {import("node:stream").Duplex} socket
 * @param {readonly (readonly [string, string])[]} securityHeaders
 * @param {(refused: import("./log.mjs").Refused) => void} log
 */
export function refuseUnreadable(error, socket, securityHeaders, log) {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const refusal = UNREADABLE.get(error.code ?? "") ?? BAD_REQUEST;
  endWith(socket, refusal, { method: null, path: pathIn(error.rawPacket), isUnread: true }, securityHeaders, log);
}

/**
 * @param {import("node:stream").Duplex} socket
 * @param {import("./limits.mjs").Refusal} refusal
 * @param {{ method: string | null, path: string, isUnread?: boolean }} request
 * @param {readonly (readonly [string, string])[]} securityHeaders
 * @param {(refused: import("./log.mjs").Refused) => void} log
 */
function endWith(socket, refusal, { method, path, isUnread = false }, securityHeaders, log) {
  const { requestId, status, headers, body } = answerTo(refusal, path);
  log({ requestId, method, path: isUnread ? null : path, status, code: refusal.code });
  const lines = [...headers, ...securityHeaders].map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}

/**
 * The path of an unparsable request, if the packet contains its first line. The path selects the form of the error.
 *
 * @param {Buffer | undefined} packet
 */
const pathIn = (packet) => /^[A-Z]+ (\/[^\s?]*)/.exec(packet?.toString("latin1", 0, FIRST_LINE_MAX) ?? "")?.[1] ?? "/";

const FIRST_LINE_MAX = 2_048;
