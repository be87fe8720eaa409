// How long each response takes, by route: measured here, because only this server sees refused requests, pages and files too.

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
    // It lasts as long as somebody looks at a page.
    if (/^text\/event-stream/.test(String(res.getHeader("content-type")))) return;
    const status = res.writableFinished ? res.statusCode : CLIENT_LEFT;
    observe({ method: req.method ?? "", route, status, seconds: (performance.now() - began) / 1000 });
  });
}

/**
 * The route's path with the names of its parameters. Paths that only exist because someone tried them must not become values of
 * a label: everything that is neither an endpoint nor a file counts as a page.
 *
 * @param {string} url
 */
export function routeOf(url) {
  const { path } = splitTarget(url);
  if (path.startsWith("/_next/")) return "file";
  return routeAt(path)?.path ?? "page";
}
