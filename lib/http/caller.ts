import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { UNKNOWN_CALLER } from "@/lib/platform/context";
import { isPagePreferred, isPreview } from "./accept";

/** Set by `recordCaller` only: a value sent by the client is overwritten. */
const CALLER_HEADER = "x-tessera-caller";

const FORWARDED_HEADER = "x-forwarded-for";

/** Also set by `recordCaller`: the path and query as the client sent them. */
const TARGET_HEADER = "x-tessera-target";

/** Also set by `recordCaller`: `html` or `json`, for the rewrites of next.config.ts. */
const FORM_HEADER = "x-tessera-form";

/**
 * Adds the client address, the original path and the preferred form to a request. Next hides the socket from route handlers and passes
 * on any X-Forwarded-For that a client made up. `trustedProxies` is the number of the operator's own proxies in front. Each one appends
 * the address that called it. On an exception the request must be refused: its headers are still the client's own.
 */
export function recordCaller({ headers, socket, url }: IncomingMessage, trustedProxies: number): void {
  // Node joins repeated headers. Its `headersDistinct` throws for a header named `__proto__` in Node before 20.20.2, 22.22.2 and 24.14.1.
  const forwarded = headers[FORWARDED_HEADER] ?? "";
  const forwardedFor = trustedProxies > 0 ? String(forwarded).split(",").at(-trustedProxies)?.trim() : undefined;
  headers[CALLER_HEADER] = forwardedFor || socket.remoteAddress || "";
  headers[TARGET_HEADER] = url ?? "/";
  const { accept, "user-agent": agent } = headers;
  headers[FORM_HEADER] = isPagePreferred(accept) || isPreview(accept, agent) ? "html" : "json";
}

/**
 * Runs `recordCaller` for every request of this process, where ops/server does not (`next dev`). Node's diagnostics channel sees a
 * request before Next does.
 */
export function recordEveryCaller(trustedProxies: number): void {
  subscribe("http.server.request.start", (message) => {
    recordCaller((message as { request: IncomingMessage }).request, trustedProxies);
  });
}

/** Whether the request is for the page of a URL that is also a resource. Same rule as in next.config.ts. Only after `recordCaller`. */
export const isPageRequested = ({ headers }: IncomingMessage): boolean =>
  headers[FORM_HEADER] === "html" || headers.rsc !== undefined;

/**
 * Path and query as the client sent them. Next passes route handlers a rebuilt query: a space arrives as + instead of %20,
 * and a parameter named `__proto__` is dropped.
 */
export function targetOf(req: Request): string {
  const target = req.headers.get(TARGET_HEADER);
  const { pathname, search } = new URL(target?.startsWith("/") ? `http://localhost${target}` : req.url);
  return pathname + search;
}

/** The requested path of a page, from its headers; empty in a request that did not come over HTTP. */
export const targetPath = (headers: Pick<Headers, "get">): string =>
  (headers.get(TARGET_HEADER) ?? "").split("?", 1)[0] ?? "";

/**
 * The client that a request is counted for: an IPv4 address, or the first 64 bits of an IPv6 address (one subscriber's
 * network). All invalid addresses count as one client.
 */
export const callerOf = (req: Request): string => parseCaller(req.headers.get(CALLER_HEADER) ?? "");

/** `callerOf` for Node's request type. Only after `recordCaller`. */
export const callerOfMessage = ({ headers }: IncomingMessage): string =>
  parseCaller(String(headers[CALLER_HEADER] ?? ""));

function parseCaller(text: string): string {
  const v4 = text.replace(/^::ffff:/i, "").replace(/:\d+$/, "");
  if (isIPv4(v4)) return v4;
  // Some proxies append the port and then add brackets.
  const v6 = text.replace(/^\[(.*)\](?::\d+)?$/, "$1");
  if (!ipaddr.isValid(v6)) return UNKNOWN_CALLER;
  const address = ipaddr.process(v6);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return `${new ipaddr.IPv6(address.parts.map((part, index) => (index < 4 ? part : 0)))}/64`;
}
