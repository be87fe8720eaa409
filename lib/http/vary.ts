import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isForFrames } from "./frames";
import { isForBuyers } from "./language";

/**
 * Names what decides on the language of a page in `Vary`, so that no cache in front returns a page in the language of another visitor.
 * Next writes `Vary` itself and drops the one that proxy.ts would set, so it is added when the head is written.
 */
export function varyByLanguage(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (!isForBuyers(path)) return;
    const { writeHead } = response;
    const withVary = (...args: unknown[]): unknown => {
      response.appendHeader("Vary", isForFrames(path) ? "Accept-Language" : "Accept-Language, Cookie");
      return Reflect.apply(writeHead, response, args);
    };
    // It has four signatures, which are passed on.
    response.writeHead = withVary as typeof writeHead;
  });
}
