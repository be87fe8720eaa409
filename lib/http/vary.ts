import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isForFrames } from "./frames";
import { isForBuyers } from "./language";

/**
 * Adds the headers that decide a page's language to `Vary`, so that a shared cache does not return another visitor's language. Next
 * drops a `Vary` that proxy.ts sets, so it is added when the head is written.
 */
export function varyByLanguage(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (!isForBuyers(path)) return;
    const { writeHead } = response;
    // `writeHead` has four signatures; the arguments are passed on unchanged.
    response.writeHead = ((...args: unknown[]): unknown => {
      response.appendHeader("Vary", isForFrames(path) ? "Accept-Language" : "Accept-Language, Cookie");
      return Reflect.apply(writeHead, response, args);
    }) as typeof writeHead;
  });
}
