import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { isPagePreferred, isPreview } from "./accept";

/** Set by `recordCallers` only: a value sent by the client is overwritten. */
const CALLER_HEADER = "x-tessera-caller";

/** Also set by `recordCallers`: the path and query as the client sent them. */
const TARGET_HEADER = "x-tessera-target";

/** Also set by `recordCallers`: `html` or `json`, for the rewrites of next.config.ts. */
const FORM_HEADER = "x-tessera-form";

/**
 * Adds the client address, the original path and the preferred form to every request of this process. Next hides the socket from route
 * handlers and passes on any X-Forwarded-For that a client made up; Node's diagnostics channel sees the request before
 * Next does. `trustedProxies` is the number of the operator's own proxies in front. Each one appends the address that
 * called it.
 */
export function recordCallers(trustedProxies: number): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    const forwarded = request.headersDistinct["x-forwarded-for"]?.join(",").split(",") ?? [];
    const forwardedFor = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined;
    request.headers[CALLER_HEADER] = forwardedFor || request.socket.remoteAddress || "";
    request.headers[TARGET_HEADER] = request.url ?? "/";
    const { accept, "user-agent": agent } = request.headers;
    request.headers[FORM_HEADER] = isPagePreferred(accept) || isPreview(accept, agent) ? "html" : "json";
  });
}

/**
 * Path and query as the client sent them. Next passes route handlers a rebuilt query: a space arrives as + instead of %20,
 * and a parameter named `__proto__` is dropped.
 */
export function targetOf(req: Request): string {
  const sent = req.headers.get(TARGET_HEADER);
  const { pathname, search } = new URL(sent?.startsWith("/") ? `http://localhost${sent}` : req.url);
  return pathname + search;
}

/** The path that a page was requested with, from its headers; empty in a request that did not come over HTTP. */
export const targetPath = (headers: Pick<Headers, "get">): string =>
  (headers.get(TARGET_HEADER) ?? "").split("?", 1)[0] ?? "";

/**
 * The client that a request is counted for: an IPv4 address, or the first 64 bits of an IPv6 address (one subscriber's
 * network). All invalid addresses count as one client.
 */
export function callerOf(req: Request): string {
  const text = req.headers.get(CALLER_HEADER) ?? "";
  const v4 = text.replace(/^::ffff:/i, "").replace(/:\d+$/, "");
  if (isIPv4(v4)) return v4;
  // Some proxies append the port and then add brackets.
  const v6 = text.replace(/^\[(.*)\](?::\d+)?$/, "$1");
  if (!ipaddr.isValid(v6)) return "unknown";
  const address = ipaddr.process(v6);
  return address instanceof ipaddr.IPv6 ? `${new ipaddr.IPv6(firstHalf(address))}/64` : address.toString();
}

const firstHalf = (address: ipaddr.IPv6) => address.parts.map((part, at) => (at < 4 ? part : 0));
