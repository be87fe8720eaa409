import { parseUrl } from "../../x402/src/url.ts";
import { invalid, tooLarge } from "./errors.ts";
import type { Session } from "./session.ts";
import { errorOf, exchange, type Fetch, jsonOf, newKey, repeated } from "./transport.ts";

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** Within 24 hours the same request with the same key is carried out once. Default: random, kept over the retries of one call. */
  idempotencyKey?: string | undefined;
};

export type Request = {
  query?: object | undefined;
  /** Sent as JSON. */
  body?: object | undefined;
  /** Whether to send the request without a login. */
  isPublic?: boolean | undefined;
  options?: CallOptions | undefined;
};

const SECONDS = 60;
const BYTES_MAX = 8 * 1_048_576;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/;

export function originOf(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  // Plain http would expose the token and the JWT on the network.
  if (!url || (url.protocol !== "https:" && !LOOPBACK.test(url.hostname)))
    throw invalid("baseUrl must be an https URL");
  return url.origin;
}

/** Keeps the login at the service's origin: an untrusted path such as `//evil.example` would name another. Throws `invalid_argument`. */
export function urlAt(origin: string, path: string): URL {
  const url = new URL(path, origin);
  if (url.origin !== origin) throw invalid("path must be one of the service");
  return url;
}

/**
 * Calls an endpoint, with the login of `session` if given. Retries GET, PATCH and authenticated POST; other requests are sent once.
 * Throws TesseraError.
 */
export async function call<R>(
  fetch: Fetch,
  target: URL,
  method: string,
  request: Request,
  session?: Session,
): Promise<R> {
  const { query = {}, body, options: { signal, idempotencyKey } = {} } = request;
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value));
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body) headers["Content-Type"] = "application/json";
  // Makes an authenticated POST safe to retry.
  if (method === "POST" && session) headers["Idempotency-Key"] = idempotencyKey ?? newKey();
  const init: RequestInit = { method, headers, redirect: "error", ...(body && { body: JSON.stringify(body) }) };
  let jwt = await session?.jwt();
  const send = () => {
    if (jwt !== undefined) headers.Authorization = `Bearer ${jwt}`;
    return exchange(fetch, target.href, init, { signal, seconds: SECONDS, maxBytes: BYTES_MAX });
  };
  const attempt = async () => {
    const reply = await send();
    if (!session || reply.status !== 401) return reply;
    jwt = await session.jwt(jwt);
    return send();
  };
  const isRepeatable = method === "GET" || method === "PATCH" || session !== undefined;
  const reply = isRepeatable && method !== "DELETE" ? await repeated(attempt, signal) : await attempt();
  if (reply.status < 200 || reply.status > 299) throw errorOf(reply);
  if (reply.bytes === null) throw tooLarge(reply.status);
  return jsonOf(reply) as R;
}
