// Response times by route. Measured here, because only the server sees refused requests, pages and files too.

import { routeAt } from "./routes.mjs";
import { splitTarget } from "./target.mjs";

/** The client closed the connection before the response was complete. */
const CLIENT_LEFT = 499;

/**
 * @typedef {{ method: string, route: string, status: number, seconds: number }} Measured
 * @param {import("node:http").IncomingMessage} req
 * @param {import("node:http").ServerResponse} res
 * @param {(measured: Measured) => void} observe
 */
export function timeResponse(req, res, observe) {
  const began = performance.now();
  const route = routeOf(req.url ?? "");
  res.once("close", () => {
    // An event stream lasts as long as the page is open.
    if (/^text\/event-stream/.test(String(res.getHeader("content-type")))) return;
    const status = res.writableFinished ? res.statusCode : CLIENT_LEFT;
    observe({ method: req.method ?? "", route, status, seconds: (performance.now() - began) / 1000 });
  });
}

/**
 * The route's path with parameter names. Unknown paths must not become label values: everything that is neither an endpoint nor a
 * file counts as "page".
 *
 * @param {string} url
 */
export function routeOf(url) {
  const { path } = splitTarget(url);
  if (path.startsWith("/_next/")) return "file";
  return routeAt(path)?.path ?? "page";
}
