// Headers of every response, whether from a page, a route, Next's static files and redirects, next-auth or this server.

/** For responses without their own policy. Pages have one with a nonce (proxy.ts); this one allows no scripts. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURE_SECONDS = 31_536_000;

/**
 * @param {string | undefined} baseUrl PUBLIC_BASE_URL
 * @param {string | undefined} passkeyWallet PASSKEY_WALLET: its window answers the page that opened it
 * @returns {[name: string, value: string][]}
 */
export const securityHeaders = (baseUrl, passkeyWallet) => [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
  ["Cross-Origin-Opener-Policy", passkeyWallet ? "same-origin-allow-popups" : "same-origin"],
  ["Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"],
  ["Content-Security-Policy", POLICY],
  ...(isHttps(baseUrl)
    ? [/** @type {[string, string]} */ (["Strict-Transport-Security", `max-age=${SECURE_SECONDS}`])]
    : []),
];

/** @param {string | undefined} baseUrl */
const isHttps = (baseUrl) => /^https:/i.test(baseUrl ?? "");

/**
 * Sets `headers` on a response when its head is written, except those already set. Setting them earlier would not work: Next
 * appends its policy to one that is already set, and browsers enforce both.
 *
 * @param {import("node:http").ServerResponse} res
 * @param {readonly (readonly [string, string])[]} headers
 */
export function addWhenWritten(res, headers) {
  const writeHead = res.writeHead;
  /** @type {(...args: unknown[]) => unknown} */
  const withHeaders = (...args) => {
    const given = namesIn(args.at(-1));
    for (const [name, value] of headers) {
      if (!res.hasHeader(name) && !given.has(name.toLowerCase())) res.setHeader(name, value);
    }
    return Reflect.apply(writeHead, res, args);
  };
  res.writeHead = /** @type {typeof res.writeHead} */ (withHeaders);
}

/** Names among the headers given to writeHead: an object, or a list of names and values in turn or in pairs. */
function namesIn(/** @type {unknown} */ headers) {
  if (typeof headers !== "object" || headers === null) return new Set();
  if (!Array.isArray(headers)) return new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const names = Array.isArray(headers[0]) ? headers.map(([name]) => name) : headers.filter((_, at) => at % 2 === 0);
  return new Set(names.map((name) => String(name).toLowerCase()));
}
