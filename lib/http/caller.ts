import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/** Only `tellCallers` writes it: what a client sends under this name is overwritten. */
const CALLER_HEADER = "x-tessera-caller";

/** The same: the path and query as they came. */
const TARGET_HEADER = "x-tessera-target";

/**
 * Writes into every request that reaches this process who sent it, and what it asked for. Next hides the socket from route handlers and passes
 * on whatever X-Forwarded-For a client made up; Node's own channel sees the request before Next does. `trustedProxies`
 * is the number of proxies of ours in front, each of which appends the address it was called from.
 */
export function tellCallers(trustedProxies: number): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    const forwarded = request.headersDistinct["x-forwarded-for"]?.join(",").split(",") ?? [];
    const told = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined;
    request.headers[CALLER_HEADER] = told || request.socket.remoteAddress || "";
    request.headers[TARGET_HEADER] = request.url ?? "/";
  });
}

/**
 * Path and query as the client sent them. Next hands a route handler a query written anew: a space comes as + instead of
 * %20, and a parameter named `__proto__` is gone.
 */
export function targetOf(req: Request): string {
  const sent = req.headers.get(TARGET_HEADER);
  const { pathname, search } = new URL(sent?.startsWith("/") ? `http://localhost${sent}` : req.url);
  return pathname + search;
}

/**
 * Whom to count a request for: an IPv4 address, or the first 64 bits of an IPv6 address, which is what one subscriber
 * gets. What is no address counts as one caller.
 */
export function callerOf(req: Request): string {
  const text = req.headers.get(CALLER_HEADER) ?? "";
  const v4 = text.replace(/^::ffff:/i, "").replace(/:\d+$/, "");
  if (isIPv4(v4)) return v4;
  // Some proxies add the port, and then brackets.
  const v6 = text.replace(/^\[(.*)\](?::\d+)?$/, "$1");
  if (!ipaddr.isValid(v6)) return "unknown";
  const address = ipaddr.process(v6);
  return address instanceof ipaddr.IPv6 ? `${new ipaddr.IPv6(firstHalf(address))}/64` : address.toString();
}

const firstHalf = (address: ipaddr.IPv6) => address.parts.map((part, at) => (at < 4 ? part : 0));
