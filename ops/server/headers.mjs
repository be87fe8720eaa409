// Headers of every response: pages, routes, Next's static files and redirects, next-auth and this server.

/** For responses without their own policy. Allows no scripts; pages have a policy with a nonce (proxy.ts). */
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
 * @param {string | undefined} passkeyWallet PASSKEY_WALLET: its window must reach the page that opened it
 * @returns {[name: string, value: string][]}
 */
export const securityHeaders = (baseUrl, passkeyWallet) => [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
  ["Cross-Origin-Opener-Policy", passkeyWallet ? "same-origin-allow-popups" : "same-origin"],
  ["Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"],
  ["Content-Security-Policy", POLICY],
  ...(/^https:/i.test(baseUrl ?? "")
    ? [/** @type {[string, string]} */ (["Strict-Transport-Security", `max-age=${SECURE_SECONDS}`])]
    : []),
];

/**
 * Adds `headers` when the response's head is written, except those already set. Earlier would be wrong: Next appends its policy to
 * an existing one, and browsers enforce both.
 *
 * @param {import("node:http").ServerResponse} res
 * @param {readonly (readonly [string, string])[]} headers
 */
export function addWhenWritten(res, headers) {
  const writeHead = res.writeHead;
  /** @type {(...args: unknown[]) => unknown} */
  const withHeaders = (...args) => {
    const explicitNames = namesIn(args.at(-1));
    for (const [name, value] of headers) {
      if (!res.hasHeader(name) && !explicitNames.has(name.toLowerCase())) res.setHeader(name, value);
    }
    return Reflect.apply(writeHead, res, args);
  };
  res.writeHead = /** @type {typeof res.writeHead} */ (withHeaders);
}

/** Header names passed to writeHead: an object, a flat list of names and values, or a list of pairs. */
function namesIn(/** @type {unknown} */ headers) {
  if (typeof headers !== "object" || headers === null) return new Set();
  if (!Array.isArray(headers)) return new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const names = Array.isArray(headers[0])
    ? headers.map(([name]) => name)
    : headers.filter((_, index) => index % 2 === 0);
  return new Set(names.map((name) => String(name).toLowerCase()));
}
